// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Gives the operator's outputs that the plan does not have yet, which serve only the backward pass, the value None.
inline void AddBackwardOutputs(const Arguments& arguments, OperationPlan& plan) {
  while (static_cast<int>(plan.outputs.size()) < arguments.output_count()) {
    plan.outputs.push_back(OutputPlan::Known({}));
  }
}

}  // namespace kuiper_infer
