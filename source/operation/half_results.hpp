// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/binder.hpp"

namespace kuiper_infer {

// If an operator of the model reads float16 or bfloat16 arrays, they are widened to float32 for the computation, and
// its results get the types that PyTorch gives them.

inline bool IsHalf(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeFloat16 || type == RuntimeDataType::kTypeBFloat16;
}

/// Whether one of the values is an array of a 16-bit floating type, or a list that holds one.
bool HoldsHalf(const std::vector<Value>& values);

/// The values with float32 arrays in place of arrays of 16-bit floating types.
std::vector<Value> Widened(const std::vector<Value>& values);

/// Converts the results of a call on Widened(inputs) to the types that the call has on `inputs`. The operation's plan
/// for `inputs` tells these types. If it makes no plan for 16-bit floating types, the inputs' type replaces float32.
std::vector<Value> WithHalfTypes(const OperatorCall& call, const std::vector<Value>& inputs, std::vector<Value> results,
                                 const PlanningContext& context);

}  // namespace kuiper_infer
