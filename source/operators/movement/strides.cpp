// SPDX-License-Identifier: MIT
#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanKnown(Value value) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(std::move(value))};
  return plan;
}

/// Plans the stride of one axis as the array lies in memory here, or without an axis the list of all.
OperationPlan PlanStride(const Arguments& arguments) {
  const Strides& strides = arguments.Tensor("input").spec.strides;
  if (arguments.Has("dim")) {
    arguments.Require(!strides.empty(), "input is (), expected rank 1 or more");
    return PlanKnown(strides[arguments.Axis("dim", static_cast<int64_t>(strides.size()))]);
  }
  return PlanKnown(Value::List(strides.begin(), strides.end()));
}

/// Plans where the first element lies. as_strided counts from the first element of its input, so that is 0.
OperationPlan PlanStorageOffset(const Arguments& arguments) {
  arguments.Tensor("input");
  return PlanKnown(0);
}

}  // namespace

void RegisterStrides(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"Tensor.stride", "aten::stride", "aten::sym_stride"}, "Tensor input|self, int? dim=None", PlanStride,
            strided);
  table.Add({"aten::storage_offset", "aten::sym_storage_offset"}, "Tensor input|self", PlanStorageOffset, strided);
}

}  // namespace kuiper_infer
