// SPDX-License-Identifier: MIT
#pragma once

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Copies `from` to `to`: same shape, any strides (zero ones of the source and negative ones included), any two element
/// types. Conversions follow PyTorch: floating to integer truncates toward zero, anything non-zero is true, complex to
/// real keeps the real part. Where a floating number is out of the integer's range PyTorch promises a result for uint8
/// only, the low bits (-1 becomes 255); the signed types saturate here, and NaN becomes 0. The two must not overlap.
void Copy(const ConstArrayView& from, const ArrayView& to);
/// Copies as Copy(from, to) does; taken apart because views own their shapes, which takes memory.
void Copy(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec);

}  // namespace kuiper_infer::kernel
