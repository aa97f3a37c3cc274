// SPDX-License-Identifier: MIT
#pragma once

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Copies `from` to `to`: same shape, any strides (zero and negative ones included), any two element types. Conversions
/// follow PyTorch: floating to integer truncates toward zero (values out of range saturate, NaN becomes 0), anything
/// non-zero is true, complex to real keeps the real part. The two must not overlap.
void Copy(const ConstArrayView& from, const ArrayView& to);

}  // namespace kuiper_infer::kernel
