// SPDX-License-Identifier: MIT
#include "operation/evaluate.hpp"

#include <algorithm>

#include "operation/half_results.hpp"
#include "operation/operator_errors.hpp"

namespace kuiper_infer {
namespace {

/// Turns a plan into values once its new outputs are computed.
class ResultBuilder {
 public:
  ResultBuilder(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs)
      : inputs_(inputs), outputs_(outputs) {}

  Value Build(const OutputPlan& plan) {
    switch (plan.kind) {
      case OutputPlan::Kind::kNew:
        return outputs_[next_++];
      case OutputPlan::Kind::kView:
        return inputs_[plan.input].AsStrided(plan.spec.shape, plan.spec.strides, plan.offset);
      case OutputPlan::Kind::kForward:
        return FromArgument(plan.argument);
      case OutputPlan::Kind::kKnown:
        return plan.known;
      case OutputPlan::Kind::kList:
        break;
    }
    Value::List items;
    for (const OutputPlan& item : plan.items) items.push_back(Build(item));
    return items;
  }

 private:
  Value FromArgument(const Argument& argument) const {
    if (const Value* value = argument.known()) return *value;
    if (const TensorArgument* tensor = argument.tensor()) return inputs_[tensor->input];
    Value::List items;
    if (argument.list() != nullptr) {
      for (const Argument& item : *argument.list()) items.push_back(FromArgument(item));
      return items;
    }
    return {};
  }

  const std::vector<NdArray>& inputs_;
  const std::vector<NdArray>& outputs_;
  std::size_t next_ = 0;
};

void AllocateNew(const OutputPlan& plan, std::vector<NdArray>& outputs) {
  if (plan.kind == OutputPlan::Kind::kNew) {
    outputs.push_back(NdArray(plan.spec).AsStrided(plan.spec.shape, plan.spec.strides));
  }
  for (const OutputPlan& item : plan.items) AllocateNew(item, outputs);
}

/// Evaluates a call whose arrays have no 16-bit floating type.
std::vector<Value> EvaluateWide(const OperatorCall& call, const std::vector<Value>& inputs,
                                const PlanningContext& context) {
  ArgumentBuilder builder(LayoutOf(call.type));
  std::vector<Argument> arguments;
  for (const Value& input : inputs) arguments.push_back(builder.FromValue(input));
  const Binding binding = Bind(call, arguments, static_cast<int>(builder.arrays().size()), context);
  const OperationPlan plan = MakePlan(binding);

  std::vector<NdArray> arrays = builder.arrays();
  for (const TensorArgument& constant : binding.constants) arrays.push_back(constant.values());
  std::vector<NdArray> created;
  for (const OutputPlan& output : plan.outputs) AllocateNew(output, created);
  const KernelCall kernel_call = CallOf(plan, context);
  if (kernel_call.run) {
    std::vector<ConstArrayView> sources;
    std::vector<ArrayView> targets;
    for (const NdArray& array : arrays) sources.push_back(array.view());
    for (const NdArray& array : created) targets.push_back(array.mutable_view());
    const NdArray workspace(RuntimeDataType::kTypeUInt8, {kernel_call.workspace_bytes});
    kernel_call.run(RunContext{sources.data(), targets.data(), workspace.data<std::byte>()});
  }
  ResultBuilder results(arrays, created);
  std::vector<Value> values;
  for (const OutputPlan& output : plan.outputs) values.push_back(results.Build(output));
  return values;
}

}  // namespace

Argument ArgumentBuilder::FromValue(const Value& value) {
  if (value.Is<Value::List>()) {
    Argument::List items;
    bool arrays = false;
    for (const Value& item : value.Get<Value::List>()) {
      items.push_back(FromValue(item));
      arrays = arrays || items.back().known() == nullptr;
    }
    return arrays ? Argument{std::move(items)} : Argument{value};
  }
  if (!value.Is<NdArray>()) return Argument{value};
  const NdArray& array = value.Get<NdArray>();
  arrays_.push_back(NeedsRowMajor(layout_, arrays_.empty()) ? array.Contiguous() : array);
  return Argument{TensorArgument{arrays_.back().spec(), static_cast<int>(arrays_.size()) - 1, arrays_.back()}};
}

bool IsRandom(const std::string& type) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(type);
  return !rows.empty() && rows.front().kind == OperationKind::kRandom;
}

InputLayout LayoutOf(const std::string& type) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(type);
  return rows.empty() ? InputLayout::kRowMajor : rows.front().layout;
}

std::vector<Value> Evaluate(const OperatorCall& call, const std::vector<Value>& inputs,
                            const PlanningContext& context) {
  return NamingOperator(call.name, call.type, [&] {
    // A cast and a view of the bytes read every type.
    if (!HoldsHalf(inputs) || call.type == "Tensor.to" || call.type == "aten::view.dtype")
      return EvaluateWide(call, inputs, context);
    return WithHalfTypes(call, inputs, EvaluateWide(call, Widened(inputs), context), context);
  });
}

}  // namespace kuiper_infer
