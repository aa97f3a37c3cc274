// SPDX-License-Identifier: MIT
#include "operation/row_binder.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "operation/argument_value.hpp"

namespace kuiper_infer {
namespace {

/// The known value of an argument whose parts are all known, numbers given as constant arrays included.
std::optional<Value> KnownValue(const Argument& argument) {
  if (const Value* value = argument.known()) return *value;
  if (const TensorArgument* tensor = argument.tensor()) {
    if (tensor->is_constant()) return Value(tensor->values());
    return std::nullopt;
  }
  if (const Argument::List* list = argument.list()) {
    Value::List items;
    for (const Argument& item : *list) {
      std::optional<Value> value = KnownValue(item);
      if (!value) return std::nullopt;
      items.push_back(std::move(*value));
    }
    return Value(std::move(items));
  }
  return std::nullopt;
}

/// Whether an argument may be an integer that 32 bits don't hold. Extents, axes and sizes of windows may not: plans
/// multiply them.
bool TakesWideIntegers(const ArgumentSchema& argument) {
  switch (argument.kind) {
    case ArgumentKind::kTensor:
    case ArgumentKind::kFloat:
    case ArgumentKind::kFloatList:
    case ArgumentKind::kNumber:
      return true;
    case ArgumentKind::kAny:
      return argument.optional;  // the value of a constant
    default:
      return false;
  }
}

/// The value with the limits of int32 in place of those of int64, which stand for "to the end".
Value WithNarrowLimits(const Value& value) {
  if (value.Is<Value::List>()) {
    Value::List items = value.Get<Value::List>();
    for (Value& item : items) item = WithNarrowLimits(item);
    return items;
  }
  if (!value.Is<int64_t>()) return value;
  const auto integer = value.Get<int64_t>();
  return integer == INT64_MAX ? int64_t{INT32_MAX} : integer == INT64_MIN ? int64_t{INT32_MIN} : integer;
}

bool HoldsWideInteger(const Value& value) {
  if (value.Is<Value::List>()) {
    const Value::List& items = value.Get<Value::List>();
    return std::any_of(items.begin(), items.end(), HoldsWideInteger);
  }
  return value.Is<int64_t>() && value.Get<int64_t>() != static_cast<int32_t>(value.Get<int64_t>());
}

}  // namespace

Binding RowBinder::Run(const std::vector<Argument>& inputs) {
  for (const auto& [key, value] : call_.params) BindParameter(key, value);
  for (const auto& [key, weight] : call_.attributes) BindAttribute(key, weight);
  for (const std::string& key : call_.untyped_attributes) {
    if (operation_.schema->Find(key) >= 0) Fail(key, "attribute '" + key + "' is of unknown element type", true);
  }
  BindInputs(inputs);
  BindDefaults();
  Arguments arguments(call_.type, operation_.schema.get(), std::move(values_), std::move(attributes_), context_,
                      call_.output_count, call_.recorded);
  return {&operation_, std::move(arguments), std::move(constants_), needs_values_};
}

const TensorArgument& RowBinder::AddConstant(const NdArray& array) {
  constants_.push_back({array.spec(), next_array_++, array});
  return constants_.back();
}

void RowBinder::BindParameter(const std::string& key, const Value& given) {
  const int index = operation_.schema->Find(key);
  if (index < 0) return;  // a key that only informs; a misspelt required argument is reported as missing
  Value value = given;
  if (!TakesWideIntegers(schema_[index]) && HoldsWideInteger(given)) {
    value = WithNarrowLimits(given);
    if (HoldsWideInteger(value)) {
      Fail(key, "argument '" + key + "' is " + Describe(Argument{given}) + ", expected integers of 32 bits");
    }
  }
  const bool flag_for_weight = schema_[index].kind == ArgumentKind::kTensor && value.Is<bool>() && !IsRaw(call_.type);
  if (!flag_for_weight) {
    Assign(index, Argument{std::move(value)});
  } else if (value.Get<bool>() && call_.attributes.count(key) == 0) {
    Fail(key, "attribute '" + key + "' is missing, expected an array because " + key + "=True", true);
  }
}

void RowBinder::BindAttribute(const std::string& key, const std::shared_ptr<Weight>& weight) {
  const TensorArgument tensor{weight->spec(), next_array_++, {}, weight};
  constants_.push_back(tensor);
  attributes_[key] = tensor;
  if (const int index = operation_.schema->Find(key); index >= 0) Assign(index, Argument{tensor});
}

void RowBinder::BindDefaults() {
  for (std::size_t i = 0; i < schema_.size(); ++i) {
    if (!values_[i].absent()) continue;
    const ArgumentSchema& argument = schema_[i];
    if (argument.default_value) {
      Assign(static_cast<int>(i), Argument{*argument.default_value});
    } else if (argument.list && TakesArrays(argument)) {
      values_[i] = Argument{Argument::List{}};
    } else {
      const bool weight = argument.kind == ArgumentKind::kTensor && call_.type.compare(0, 3, "nn.") == 0;
      Fail(argument.name, "argument '" + argument.name + "' is missing, expected " + KindText(argument), weight);
    }
  }
}

void RowBinder::Assign(int index, const Argument& given) {
  const ArgumentSchema& argument = schema_[index];
  const auto misfit = [&] {
    Fail(argument.name, "argument '" + argument.name + "' is " + Describe(given) + ", expected " + KindText(argument));
  };
  if (TakesArrays(argument)) {
    const Value* value = given.known();
    if (argument.kind == ArgumentKind::kTensor && value != nullptr && !value->IsNone()) {
      if (!Fits(argument, *value)) misfit();
      if (value->Is<NdArray>()) {
        values_[index] = Argument{AddConstant(value->Get<NdArray>())};
      } else {
        const bool word = value->Is<std::string>();  // inf and nan
        values_[index] = Argument{AddConstant(ArrayFromNumber(word ? Value(*AsFloat(*value)) : *value))};
      }
      return;
    }
    if (argument.kind == ArgumentKind::kTensor && given.list() != nullptr) misfit();
    if (value != nullptr && !Fits(argument, *value)) misfit();
    values_[index] = given;
    return;
  }
  const std::optional<Value> value = KnownValue(given);
  if (!value) {
    needs_values_ = true;  // computed by another operator: known only while running
    values_[index] = given;
  } else if (Fits(argument, *value)) {
    values_[index] = Argument{*value};
  } else {
    misfit();
  }
}

Binding BindRow(const OperatorCall& call, const Operation& row, const std::vector<Argument>& inputs, int input_arrays,
                const PlanningContext& context) {
  return RowBinder(call, row, input_arrays, context).Run(inputs);
}

}  // namespace kuiper_infer
