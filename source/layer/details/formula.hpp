// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "layer/abstract/composition.hpp"

namespace kuiper_infer {

/// Plans an element-wise formula in reverse Polish notation over arrays that broadcast: a number k stands for operand
/// k, #x for the number x, every other word for a function of the kernels' tables. "0 1 sub abs" is |a - b|. The usual
/// promotion of element types applies at each step.
OperationPlan PlanFormula(const Arguments& arguments, const std::string& formula,
                          const std::vector<TensorArgument>& operands);

/// The same as a step of a composition.
TensorArgument ApplyFormula(Composition& composition, const std::string& formula,
                            const std::vector<TensorArgument>& operands);

}  // namespace kuiper_infer
