// SPDX-License-Identifier: MIT
#pragma once

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Copies `from` to `to`: same shape, any strides (negative ones, too, and zeros of the source), any two element
/// types. Conversions follow PyTorch: floating to integer truncates toward zero, anything non-zero is true, complex to
/// real keeps the real part. If a floating number is out of the integer's range, PyTorch defines the result only for
/// uint8: the low bits (-1 becomes 255). Here signed types saturate, and NaN becomes 0. The two arrays must not
/// overlap.
void Copy(const ConstArrayView& from, const ArrayView& to);
/// Copies as Copy(from, to) does. The parts of the views are separate arguments, because making a view allocates its
/// shape.
void Copy(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec);

}  // namespace kuiper_infer::kernel
