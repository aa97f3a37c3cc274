// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "layer/abstract/composition.hpp"

namespace kuiper_infer {

/// What PyTorch calls reduction: 0 none, 1 mean, 2 sum.
enum class LossReduction { kNone, kMean, kSum };
LossReduction ReadLossReduction(const Arguments& arguments);

/// The values reduced to one number, or as they are.
TensorArgument Reduced(Composition& composition, LossReduction reduction, const TensorArgument& values);

/// An element-wise formula (see PlanFormula) as a step of a composition.
TensorArgument ApplyFormula(const Arguments& arguments, Composition& composition, const std::string& formula,
                            const std::vector<TensorArgument>& operands);

}  // namespace kuiper_infer
