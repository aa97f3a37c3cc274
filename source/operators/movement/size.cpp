// SPDX-License-Identifier: MIT
#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanKnown(Value value) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(std::move(value))};
  return plan;
}

/// Plans one extent, or without an axis the list of all.
OperationPlan PlanSize(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  if (arguments.Has("dim")) {
    arguments.Require(!shape.empty(), "input is (), expected rank 1 or more");
    return PlanKnown(shape[arguments.Axis("dim", static_cast<int64_t>(shape.size()))]);
  }
  Value::List extents;
  for (const int64_t extent : shape) extents.emplace_back(extent);
  return PlanKnown(std::move(extents));
}

OperationPlan PlanElementCount(const Arguments& arguments) { return PlanKnown(arguments.Tensor("input").spec.size()); }

OperationPlan PlanRank(const Arguments& arguments) { return PlanKnown(arguments.Tensor("input").spec.rank()); }

/// Plans the number in an array of one element; needs its contents.
OperationPlan PlanItem(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.size() == 1, "input is " + ShapeString(input.spec.shape) + ", expected one element");
  return PlanKnown(NumberFromArray(input.values()));
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
}

}  // namespace kuiper_infer
