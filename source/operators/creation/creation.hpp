// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Parts of the operations that make constants.

inline constexpr RuntimeDataType kDefaultType = RuntimeDataType::kTypeFloat32;

/// The last arguments in the schemas of operations that make constants.
inline constexpr char kCreationOptions[] =
    ", dtype? dtype=None, any layout=None, any device=None, any pin_memory=None, any memory_format=None";

/// An array that is known without running.
inline OperationPlan PlanKnown(NdArray array) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(std::move(array))};
  return plan;
}

inline RuntimeDataType TypeOr(const Arguments& arguments, RuntimeDataType otherwise) {
  const RuntimeDataType type = arguments.Type("dtype");
  return type == RuntimeDataType::kTypeUnknown ? otherwise : type;
}

}  // namespace kuiper_infer
