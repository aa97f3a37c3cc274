// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/quantization/quantize.hpp"

namespace kuiper_infer::kernel {

/// The grid with these bounds for numbers from `low` to `high`, as PyTorch's observers choose it: the range is widened
/// to include zero, which lies on the grid. `symmetric` puts the zero point of a range with both signs in the middle.
QuantizationGrid ChooseGrid(float low, float high, int32_t least, int32_t most, bool symmetric);

}  // namespace kuiper_infer::kernel
