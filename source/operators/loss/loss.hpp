// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "operation/composition.hpp"

namespace kuiper_infer {

/// PyTorch's reduction: 0 none, 1 mean, 2 sum.
enum class LossReduction { kNone, kMean, kSum };
LossReduction ReadLossReduction(const Arguments& arguments);

/// The values, or their mean or sum, as `reduction` says.
TensorArgument Reduced(Composition& composition, LossReduction reduction, const TensorArgument& values);

}  // namespace kuiper_infer
