// SPDX-License-Identifier: MIT
#include "operation/half_results.hpp"

#include <algorithm>

#include "operation/evaluate.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// The common type of the floating arrays among the values; unknown if there are none.
RuntimeDataType FloatingTypeOf(const std::vector<Value>& values) {
  RuntimeDataType common = RuntimeDataType::kTypeUnknown;
  for (const Value& value : values) {
    if (value.Is<Value::List>()) common = PromoteTypes(common, FloatingTypeOf(value.Get<Value::List>()));
    if (!value.Is<NdArray>()) continue;
    const TensorSpec& spec = value.Get<NdArray>().spec();
    if (IsFloating(spec.type) && !spec.python_scalar) common = PromoteTypes(common, spec.type);
  }
  return common;
}

/// The value with float32 arrays in place of arrays of 16-bit floating types.
Value WidenedValue(const Value& value) {
  if (value.Is<Value::List>()) {
    Value::List items;
    for (const Value& item : value.Get<Value::List>()) items.push_back(WidenedValue(item));
    return items;
  }
  const bool half = value.Is<NdArray>() && IsHalf(value.Get<NdArray>().type());
  return half ? Value(value.Get<NdArray>().To(RuntimeDataType::kTypeFloat32)) : value;
}

/// The argument without the contents of arrays of 16-bit floating types, which no plan can read.
Argument WithoutHalves(const Argument& argument) {
  if (argument.list() != nullptr) {
    Argument::List items;
    for (const Argument& item : *argument.list()) items.push_back(WithoutHalves(item));
    return Argument{std::move(items)};
  }
  const TensorArgument* tensor = argument.tensor();
  if (tensor == nullptr || !IsHalf(tensor->spec.type)) return argument;
  return Argument{TensorArgument{tensor->spec, tensor->input, {}}};
}

/// The outputs of the plan for arrays of 16-bit floating types. They tell the types of the results, although the call
/// of that plan is never made. Nothing for operations that refuse arrays of these types.
std::vector<OutputPlan> PlanTypes(const OperatorCall& call, const std::vector<Value>& inputs,
                                  const PlanningContext& context) {
  ArgumentBuilder builder(LayoutOf(call.type));
  std::vector<Argument> arguments;
  for (const Value& input : inputs) arguments.push_back(WithoutHalves(builder.FromValue(input)));
  try {
    const Binding binding = Bind(call, arguments, static_cast<int>(builder.arrays().size()), context);
    return binding.needs_values ? std::vector<OutputPlan>() : MakePlan(binding).outputs;
  } catch (const Error&) {
    return {};
  }
}

/// `value` with its arrays in the types that a forwarded argument has.
Value InTypesOf(const Argument& argument, const Value& value) {
  if (const TensorArgument* tensor = argument.tensor()) return value.Get<NdArray>().To(tensor->spec.type);
  if (argument.list() == nullptr) return value;
  Value::List items = value.Get<Value::List>();
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = InTypesOf((*argument.list())[i], items[i]);
  return items;
}

/// `value` with its arrays in the types of an output.
Value InTypesOf(const OutputPlan& output, const Value& value) {
  switch (output.kind) {
    case OutputPlan::Kind::kNew:
    case OutputPlan::Kind::kView:
      return value.Get<NdArray>().To(output.spec.type);
    case OutputPlan::Kind::kForward:
      return InTypesOf(output.argument, value);
    case OutputPlan::Kind::kKnown:
      return output.known;
    case OutputPlan::Kind::kList:
      break;
  }
  Value::List items = value.Get<Value::List>();
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = InTypesOf(output.items[i], items[i]);
  return items;
}

/// The value with its float32 arrays in another type.
Value Narrowed(const Value& value, RuntimeDataType type) {
  if (value.Is<Value::List>()) {
    Value::List items;
    for (const Value& item : value.Get<Value::List>()) items.push_back(Narrowed(item, type));
    return items;
  }
  const bool single = value.Is<NdArray>() && value.Get<NdArray>().type() == RuntimeDataType::kTypeFloat32;
  return single ? Value(value.Get<NdArray>().To(type)) : value;
}

}  // namespace

bool HoldsHalf(const std::vector<Value>& values) {
  return std::any_of(values.begin(), values.end(), [](const Value& value) {
    return value.Is<Value::List>() ? HoldsHalf(value.Get<Value::List>())
                                   : value.Is<NdArray>() && IsHalf(value.Get<NdArray>().type());
  });
}

std::vector<Value> Widened(const std::vector<Value>& values) {
  std::vector<Value> wide;
  for (const Value& value : values) wide.push_back(WidenedValue(value));
  return wide;
}

std::vector<Value> WithHalfTypes(const OperatorCall& call, const std::vector<Value>& inputs, std::vector<Value> results,
                                 const PlanningContext& context) {
  const std::vector<OutputPlan> types = PlanTypes(call, inputs, context);
  const RuntimeDataType common = FloatingTypeOf(inputs);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < types.size()) {
      results[i] = InTypesOf(types[i], results[i]);
    } else if (IsHalf(common)) {
      results[i] = Narrowed(results[i], common);
    }
  }
  return results;
}

}  // namespace kuiper_infer
