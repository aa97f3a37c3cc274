// SPDX-License-Identifier: MIT
#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanKnown(Value value) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(std::move(value))};
  return plan;
}

/// Plans the number of axis `dim`, or the list of the numbers of all axes if there is no `dim`.
OperationPlan PlanOfAxes(const Arguments& arguments, const std::vector<int64_t>& numbers) {
  if (arguments.Has("dim")) {
    arguments.Require(!numbers.empty(), "input is (), expected rank 1 or more");
    return PlanKnown(numbers[arguments.Axis("dim", static_cast<int64_t>(numbers.size()))]);
  }
  return PlanKnown(Value::List(numbers.begin(), numbers.end()));
}

OperationPlan PlanSize(const Arguments& arguments) {
  return PlanOfAxes(arguments, arguments.Tensor("input").spec.shape);
}

OperationPlan PlanElementCount(const Arguments& arguments) { return PlanKnown(arguments.Tensor("input").spec.size()); }

OperationPlan PlanRank(const Arguments& arguments) { return PlanKnown(arguments.Tensor("input").spec.rank()); }

/// Plans the number in an array of one element; needs its contents.
OperationPlan PlanItem(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.size() == 1, "input is " + ShapeString(input.spec.shape) + ", expected one element");
  return PlanKnown(NumberFromArray(input.values()));
}

/// The strides are those of the array as it lies in memory here.
OperationPlan PlanStride(const Arguments& arguments) {
  return PlanOfAxes(arguments, arguments.Tensor("input").spec.strides);
}

/// Plans where the first element lies. as_strided counts from the first element of its input, so that is 0.
OperationPlan PlanStorageOffset(const Arguments& arguments) {
  arguments.Tensor("input");
  return PlanKnown(0);
}

}  // namespace

void RegisterSize(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"Tensor.size", "aten::size", "aten::sym_size"}, "Tensor input|self, int? dim=None", PlanSize, strided);
  table.Add({"torch.numel", "Tensor.numel", "aten::numel", "aten::sym_numel"}, "Tensor input|self", PlanElementCount,
            strided);
  table.Add({"Tensor.dim", "aten::dim"}, "Tensor input|self", PlanRank, strided);
  table.Add({"Tensor.item", "aten::item", "aten::_local_scalar_dense", "aten::Int", "aten::Float", "aten::Bool"},
            "Tensor input|self", PlanItem, strided, OperationKind::kDataDependent);
  table.Add({"Tensor.stride", "aten::stride", "aten::sym_stride"}, "Tensor input|self, int? dim=None", PlanStride,
            strided);
  table.Add({"aten::storage_offset", "aten::sym_storage_offset"}, "Tensor input|self", PlanStorageOffset, strided);
}

}  // namespace kuiper_infer
