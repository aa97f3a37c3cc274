// SPDX-License-Identifier: MIT
#include "kernel/elementwise/where.hpp"

#include <string>

#include "operation/converted_operand.hpp"
#include "operation/strided_copy.hpp"
#include "shape/broadcast.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// Plans output = condition ? yes : no, all broadcast to `shape`.
OperationPlan PlanSelection(const TensorArgument& condition, const TensorArgument& yes, const TensorArgument& no,
                            RuntimeDataType type, const Shape& shape) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  const ConvertedOperand flags(condition, RuntimeDataType::kTypeBool, plan.workspace_bytes);
  const ConvertedOperand first(yes, type, plan.workspace_bytes);
  const ConvertedOperand second(no, type, plan.workspace_bytes);
  const auto strides = [&](const TensorSpec& spec) { return BroadcastStrides(spec, shape); };
  const kernel::WhereLoop loop(
      shape, {strides(flags.spec()), strides(first.spec()), strides(second.spec()), RowMajorStrides(shape)});
  plan.run = [loop, flags, first, second, type](const RunContext& c) {
    kernel::Where(loop, type, static_cast<const bool*>(flags.Data(c)), first.Data(c), second.Data(c),
                  c.outputs[0].data);
  };
  return plan;
}

OperationPlan PlanWhere(const Arguments& arguments) {
  const TensorArgument& condition = arguments.Tensor("condition");
  const TensorArgument& yes = arguments.Tensor("input");
  const TensorArgument& no = arguments.Tensor("other");
  const Shape shape = BroadcastShapes(condition.spec.shape, BroadcastShapes(yes.spec.shape, no.spec.shape));
  return PlanSelection(condition, yes, no, Promote(yes.spec, no.spec), shape);
}

/// Plans a copy of the input in which elements at true elements of the mask are replaced by `value` in the input's
/// type.
OperationPlan PlanMaskedFill(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& mask = arguments.Tensor("mask");
  const TensorArgument& value = arguments.Tensor("value");
  arguments.Require(value.spec.size() == 1, "value is " + ShapeString(value.spec.shape) + ", expected one element");
  TensorArgument number = value;
  number.spec = TensorSpec(value.spec.type, {});
  if (value.is_constant()) number.SetValues(value.values().Reshape({}));
  const Shape shape = BroadcastShapes(input.spec.shape, mask.spec.shape);
  return PlanSelection(mask, number, input, input.spec.type, shape);
}

/// Plans an array whose every element is the value.
OperationPlan PlanFill(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& value = arguments.Tensor("value");
  arguments.Require(value.spec.size() == 1, "value is " + ShapeString(value.spec.shape) + ", expected one element");
  TensorArgument number = value;
  number.spec = TensorSpec(value.spec.type, {});
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, input.spec.shape)};
  const StridedCopy copy(number, StridedView(plan.outputs.front().spec));
  plan.run = [copy](const RunContext& c) { copy.Run(c); };
  return plan;
}

}  // namespace

void RegisterWhere(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"torch.where", "Tensor.where", "aten::where"}, "Tensor condition, Tensor input|self, Tensor other",
            PlanWhere, strided);
  table.Add({"Tensor.masked_fill", "torch.masked_fill", "aten::masked_fill"},
            "Tensor input|self, Tensor mask, Tensor value", PlanMaskedFill, strided);
  table.Add({"Tensor.fill", "torch.fill", "aten::fill"}, "Tensor input|self, Tensor value", PlanFill, strided);
}

}  // namespace kuiper_infer
