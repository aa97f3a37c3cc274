// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include "operation/argument_value.hpp"
#include "operation/binder.hpp"

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

bool TakesArrays(const ArgumentSchema& argument) {
  return argument.kind == ArgumentKind::kTensor || argument.kind == ArgumentKind::kTensorList ||
         argument.kind == ArgumentKind::kAny;
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

bool HoldsWideInteger(const Value& value) {
  if (value.Is<Value::List>()) {
    const Value::List& items = value.Get<Value::List>();
    return std::any_of(items.begin(), items.end(), HoldsWideInteger);
  }
  return value.Is<int64_t>() && value.Get<int64_t>() != static_cast<int32_t>(value.Get<int64_t>());
}

/// Whether it is an operator of PyTorch's own, whose inputs are all its arguments.
bool IsRaw(const std::string& type) {
  return type.rfind("aten::", 0) == 0 || type.rfind("quantized_decomposed::", 0) == 0;
}

/// Matches one call with one row of the table.
class RowBinder {
 public:
  RowBinder(const OperatorCall& call, const Operation& operation, int input_arrays, const PlanningContext& context)
      : call_(call),
        operation_(operation),
        schema_(operation.schema->arguments()),
        context_(context),
        next_array_(input_arrays),
        values_(schema_.size()) {}

  Binding Run(const std::vector<Argument>& inputs) {
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

 private:
  [[noreturn]] void Fail(const std::string& argument, const std::string& text, bool attribute = false) const {
    throw BindError(text, argument, attribute);
  }

  const TensorArgument& AddConstant(const NdArray& array) {
    constants_.push_back({array.spec(), next_array_++, array});
    return constants_.back();
  }

  void BindParameter(const std::string& key, const Value& value) {
    const int index = operation_.schema->Find(key);
    if (index < 0) return;  // informational keys of the converter's; a misspelt required one is reported as missing
    if (!TakesWideIntegers(schema_[index]) && HoldsWideInteger(value)) {
      Fail(key, "argument '" + key + "' is " + Describe(Argument{value}) + ", expected integers of 32 bits");
    }
    const bool flag_for_weight = schema_[index].kind == ArgumentKind::kTensor && value.Is<bool>() && !IsRaw(call_.type);
    if (!flag_for_weight) {
      Assign(index, Argument{value});
    } else if (value.Get<bool>() && call_.attributes.count(key) == 0) {
      Fail(key, "attribute '" + key + "' is missing, expected an array because " + key + "=True", true);
    }
  }

  void BindAttribute(const std::string& key, const std::shared_ptr<Weight>& weight) {
    const TensorArgument tensor{weight->spec(), next_array_++, {}, weight};
    constants_.push_back(tensor);
    attributes_[key] = tensor;
    if (const int index = operation_.schema->Find(key); index >= 0) Assign(index, Argument{tensor});
  }

  void BindInputs(const std::vector<Argument>& inputs) {
    std::vector<std::size_t> unnamed;
    std::map<int, Argument::List> named;  // by argument; the items of a list have the list's name
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string name = i < call_.input_names.size() ? call_.input_names[i] : "";
      const int index = operation_.schema->Find(name);
      // Inputs without a name of the schema count by position: expressions refer to their inputs by number, and an
      // operator that the converter made of a pattern may have names of that pattern.
      if (index < 0) {
        unnamed.push_back(i);
      } else {
        named[index].push_back(inputs[i]);
      }
    }
    for (auto& [index, given] : named) {
      const bool holds_list = schema_[index].list || schema_[index].kind == ArgumentKind::kAny;
      const bool several = given.size() > 1 && holds_list && TakesArrays(schema_[index]);
      Assign(index, several ? Argument{std::move(given)} : given.back());
    }
    // Raw TorchScript operators give every argument in order; all other operators give only arrays.
    const bool raw = IsRaw(call_.type);
    std::size_t next = 0;
    for (std::size_t index = 0; index < schema_.size() && next < unnamed.size(); ++index) {
      if (!values_[index].absent() || (!raw && !TakesArrays(schema_[index]))) continue;
      if (schema_[index].list && TakesArrays(schema_[index]) && !raw) {
        Argument::List rest;
        for (; next < unnamed.size(); ++next) rest.push_back(inputs[unnamed[next]]);
        if (rest.size() == 1 && rest.front().list() != nullptr && schema_[index].kind == ArgumentKind::kTensorList) {
          rest = Argument::List(*rest.front().list());
        }
        Assign(static_cast<int>(index), Argument{std::move(rest)});
      } else {
        Assign(static_cast<int>(index), inputs[unnamed[next++]]);
      }
    }
    if (next < unnamed.size()) {
      Fail("",
           std::to_string(inputs.size()) + " inputs are more than its arguments (" + operation_.schema->text() + ")");
    }
  }

  void BindDefaults() {
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

  void Assign(int index, const Argument& given) {
    const ArgumentSchema& argument = schema_[index];
    const auto misfit = [&] {
      Fail(argument.name,
           "argument '" + argument.name + "' is " + Describe(given) + ", expected " + KindText(argument));
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

  const OperatorCall& call_;
  const Operation& operation_;
  const std::vector<ArgumentSchema>& schema_;
  const PlanningContext& context_;
  int next_array_;
  std::vector<Argument> values_;
  std::map<std::string, TensorArgument> attributes_;
  std::vector<TensorArgument> constants_;
  bool needs_values_ = false;
};

}  // namespace

Binding BindRow(const OperatorCall& call, const Operation& row, const std::vector<Argument>& inputs, int input_arrays,
                const PlanningContext& context) {
  return RowBinder(call, row, input_arrays, context).Run(inputs);
}

}  // namespace kuiper_infer
