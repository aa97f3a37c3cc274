// SPDX-License-Identifier: MIT
#include "operation/classic_parameters.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "data/param_text.hpp"
#include "operation/binder.hpp"

namespace kuiper_infer {
namespace {

int NearestInt(int64_t integer) {
  return static_cast<int>(
      std::clamp<int64_t>(integer, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

float NearestFloat(const Value& number) {
  return static_cast<float>(number.Is<double>() ? number.Get<double>() : static_cast<double>(number.Get<int64_t>()));
}

template <class Test>
bool All(const Value::List& list, const Test& test) {
  return std::all_of(list.begin(), list.end(), test);
}

std::shared_ptr<RuntimeParameter> ClassicList(const Value::List& list) {
  const auto integer = [](const Value& item) { return item.Is<int64_t>(); };
  if (All(list, integer)) {
    const auto made = std::make_shared<RuntimeParameterIntArray>();
    for (const Value& item : list) made->value.push_back(NearestInt(item.Get<int64_t>()));
    return made;
  }
  if (All(list, [&](const Value& item) { return integer(item) || item.Is<double>(); })) {
    const auto made = std::make_shared<RuntimeParameterFloatArray>();
    for (const Value& item : list) made->value.push_back(NearestFloat(item));
    return made;
  }
  if (All(list, [](const Value& item) { return item.Is<std::string>(); })) {
    const auto made = std::make_shared<RuntimeParameterStringArray>();
    for (const Value& item : list) made->value.push_back(item.Get<std::string>());
    return made;
  }
  return std::make_shared<RuntimeParameterString>(ParamText(list));
}

std::shared_ptr<RuntimeParameter> ClassicParameter(const Value& value) {
  if (value.IsNone()) return std::make_shared<RuntimeParameter>();
  if (value.Is<bool>()) return std::make_shared<RuntimeParameterBool>(value.Get<bool>());
  if (value.Is<int64_t>()) return std::make_shared<RuntimeParameterInt>(NearestInt(value.Get<int64_t>()));
  if (value.Is<double>()) return std::make_shared<RuntimeParameterFloat>(NearestFloat(value));
  if (value.Is<Value::List>()) return ClassicList(value.Get<Value::List>());
  return std::make_shared<RuntimeParameterString>(ParamText(value));
}

template <class Parameter>
const Parameter* As(const RuntimeParameter& parameter) {
  return dynamic_cast<const Parameter*>(&parameter);
}

template <class T, class Item>
Value ListOf(const std::vector<Item>& items) {
  Value::List list;
  for (const Item& item : items) list.emplace_back(static_cast<T>(item));
  return list;
}

Value ValueOf(const RuntimeParameter& parameter) {
  if (const auto* flag = As<RuntimeParameterBool>(parameter)) return flag->value;
  if (const auto* integer = As<RuntimeParameterInt>(parameter)) return integer->value;
  if (const auto* real = As<RuntimeParameterFloat>(parameter)) return static_cast<double>(real->value);
  if (const auto* word = As<RuntimeParameterString>(parameter)) return word->value;
  if (const auto* integers = As<RuntimeParameterIntArray>(parameter)) return ListOf<int64_t>(integers->value);
  if (const auto* reals = As<RuntimeParameterFloatArray>(parameter)) return ListOf<double>(reals->value);
  if (const auto* words = As<RuntimeParameterStringArray>(parameter)) return ListOf<std::string>(words->value);
  return {};
}

/// Whether the parameter is what ClassicParameter makes of the value. Texts are compared, because NaN equals nothing.
bool Shows(const RuntimeParameter& parameter, const Value& value) {
  const std::shared_ptr<RuntimeParameter> made = ClassicParameter(value);
  return parameter.type == made->type && ValueString(ValueOf(parameter)) == ValueString(ValueOf(*made));
}

}  // namespace

void ShowParameters(RuntimeOperator& op) {
  if (op.shows_params || op.call == nullptr) return;
  for (const auto& [key, value] : op.call->params) op.params.try_emplace(key, ClassicParameter(value));
  op.shows_params = true;
}

std::map<std::string, Value> ParameterValues(const RuntimeOperator& op) {
  static const std::map<std::string, Value> kNone;
  const std::map<std::string, Value>& called = op.call != nullptr ? op.call->params : kNone;
  std::map<std::string, Value> values;
  if (!op.shows_params) values = called;
  for (const auto& [key, parameter] : op.params) {
    if (parameter == nullptr) continue;
    const auto known = called.find(key);
    values[key] = known != called.end() && Shows(*parameter, known->second) ? known->second : ValueOf(*parameter);
  }
  return values;
}

}  // namespace kuiper_infer
