// SPDX-License-Identifier: MIT
#include <string>

#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanList(const std::vector<Argument>& items) {
  std::vector<OutputPlan> outputs;
  for (const Argument& item : items) outputs.push_back(OutputPlan::Forward(item));
  OperationPlan plan;
  plan.outputs = {OutputPlan::List(std::move(outputs))};
  return plan;
}

bool IsList(const Argument& argument) {
  return argument.list() != nullptr || (argument.known() != nullptr && argument.known()->Is<Value::List>());
}

/// The items of a list, whether they are arrays or values known already.
std::vector<Argument> ItemsOf(const Arguments& arguments, const Argument& list) {
  if (list.list() != nullptr) return *list.list();
  if (list.none()) return {};
  if (!IsList(list)) arguments.Fail(ErrorCode::kArgument, "found " + Describe(list) + ", expected a list");
  std::vector<Argument> items;
  for (const Value& item : list.known()->Get<Value::List>()) items.push_back(Argument{item});
  return items;
}

std::vector<Argument> ItemsOf(const Arguments& arguments, const char* name) {
  return ItemsOf(arguments, arguments.Get(name));
}

OperationPlan PlanConstruct(const Arguments& arguments) { return PlanList(ItemsOf(arguments, "items")); }

/// Plans a dictionary as a list: keys and values alternate, the values make the list.
OperationPlan PlanDictConstruct(const Arguments& arguments) {
  const std::vector<Argument> items = ItemsOf(arguments, "items");
  std::vector<Argument> values;
  for (std::size_t i = 1; i < items.size(); i += 2) values.push_back(items[i]);
  return PlanList(values);
}

/// Plans an output for each item of the list that is the only input.
OperationPlan PlanUnpack(const Arguments& arguments) {
  std::vector<Argument> items = ItemsOf(arguments, "items");
  if (items.size() == 1 && IsList(items.front())) items = ItemsOf(arguments, Argument(items.front()));
  OperationPlan plan;
  for (const Argument& item : items) plan.outputs.push_back(OutputPlan::Forward(item));
  return plan;
}

/// Plans an item of a list.
OperationPlan PlanGetItem(const Arguments& arguments) {
  const std::vector<Argument> items = ItemsOf(arguments, "list");
  const int64_t given = arguments.Int("idx");
  const int64_t count = static_cast<int64_t>(items.size());
  const int64_t index = given < 0 ? given + count : given;
  if (index < 0 || index >= count) {
    arguments.Fail(ErrorCode::kArgument, "index " + std::to_string(given) + " is out of range for a list of " +
                                             std::to_string(count) + " items");
  }
  return PlanForward(items[index]);
}

OperationPlan PlanLength(const Arguments& arguments) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(static_cast<int64_t>(ItemsOf(arguments, "list").size()))};
  return plan;
}

OperationPlan PlanAttribute(const Arguments& arguments) { return PlanForward(Argument{arguments.Tensor("data")}); }

/// Plans a constant: a parameter of any kind, also None.
OperationPlan PlanConstantValue(const Arguments& arguments) {
  OperationPlan plan;
  const Value* value = arguments.Get("value").known();
  plan.outputs = {OutputPlan::Known(value != nullptr ? *value : Value())};
  return plan;
}

OperationPlan PlanNumber(const Arguments& arguments) { return PlanForward(arguments.Get("number")); }

/// Plans a helper of slices with several computed bounds: each entry of `indexes` is an integer or "@k", the k-th
/// input.
OperationPlan PlanSliceIndexes(const Arguments& arguments) {
  const std::vector<Argument> inputs = ItemsOf(arguments, "items");
  Value::List bounds;
  for (const Argument& entry : ItemsOf(arguments, "indexes")) {
    if (entry.known() == nullptr)
      arguments.Fail(ErrorCode::kArgument, "argument 'indexes' holds an array, expected integers");
    const Value& value = *entry.known();
    if (value.IsNumber()) {
      bounds.push_back(value);
      continue;
    }
    const std::string text = value.Is<std::string>() ? value.Get<std::string>() : ValueString(value);
    std::size_t digits = 0;
    int64_t number = 0;
    const bool reference = !text.empty() && text.front() == '@';
    try {
      number = std::stoll(reference ? text.substr(1) : text, &digits);
    } catch (const std::exception&) {
    }
    const bool valid = digits > 0 && digits == text.size() - (reference ? 1 : 0);
    if (!valid || (reference && (number < 0 || number >= static_cast<int64_t>(inputs.size())))) {
      arguments.Fail(ErrorCode::kArgument, "argument 'indexes' holds '" + text + "', expected integers or @0 to @" +
                                               std::to_string(inputs.size() - 1));
    }
    if (!reference) {
      bounds.emplace_back(number);
      continue;
    }
    const Argument& input = inputs[number];
    const TensorArgument* tensor = input.tensor();
    bounds.push_back(tensor != nullptr && tensor->is_constant() ? NumberFromArray(tensor->values())
                     : input.known() != nullptr                 ? *input.known()
                                                                : Value());
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(std::move(bounds))};
  return plan;
}

}  // namespace

void RegisterTuple(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"prim::TupleConstruct", "prim::ListConstruct"}, "any[] items", PlanConstruct, strided,
            Preserves({"items"}));
  table.Add({"prim::DictConstruct"}, "any[] items", PlanDictConstruct, strided);
  table.Add({"prim::TupleUnpack", "prim::ListUnpack"}, "any[] items", PlanUnpack, strided);
  table.Add({"aten::__getitem__"}, "any list, int idx", PlanGetItem, strided);
  table.Add({"aten::len"}, "any list", PlanLength, strided);
  // Files of the converter's lowest level of optimisation hold constants and conversions as TorchScript has them.
  table.Add({"prim::Constant"}, "any? value=None", PlanConstantValue, strided);
  table.Add({"prim::NumToTensor"}, "any number", PlanNumber, strided);
  table.Add({"pnnx.Attribute"}, "Tensor data", PlanAttribute, strided);
  table.Add({"pnnx.SliceIndexes"}, "any[] items, any indexes", PlanSliceIndexes, strided,
            OperationKind::kDataDependent);
}

}  // namespace kuiper_infer
