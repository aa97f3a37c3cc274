// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/binder.hpp"

namespace kuiper_infer {

// No kernel computes in 16-bit floating types (float16, bfloat16): arrays of them are widened to float32, and results
// take the types that PyTorch gives them.

inline bool IsHalf(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeFloat16 || type == RuntimeDataType::kTypeBFloat16;
}

/// Whether there are arrays of 16-bit floating types among the values.
bool HoldsHalf(const std::vector<Value>& values);

/// The values with float32 arrays in the place of those of 16-bit floating types.
std::vector<Value> Widened(const std::vector<Value>& values);

/// The results of a call on Widened(inputs), in the types that the call has for `inputs`: those of its plan for them,
/// or, where the operation makes no plan for 16-bit floating types, the inputs' own in the place of float32.
std::vector<Value> WithHalfTypes(const OperatorCall& call, const std::vector<Value>& inputs, std::vector<Value> results,
                                 const PlanningContext& context);

}  // namespace kuiper_infer
