// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/quantization/quantize.hpp"

namespace kuiper_infer::kernel {

/// The grid with these bounds for numbers from `low` to `high`, as PyTorch's observers choose it: the range is widened
/// to include zero, which lies on the grid. With `symmetric` the zero point is the middle of the bounds.
QuantizationGrid ChooseGrid(double low, double high, int32_t least, int32_t most, bool symmetric);

}  // namespace kuiper_infer::kernel
