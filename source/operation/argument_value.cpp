// SPDX-License-Identifier: MIT
#include "operation/argument_value.hpp"

#include <algorithm>
#include <cmath>

namespace kuiper_infer {

std::optional<Value> AsNumber(const Value& value) {
  if (value.IsNumber()) return value;
  if (value.Is<NdArray>() && value.Get<NdArray>().size() == 1) return NumberFromArray(value.Get<NdArray>());
  return std::nullopt;
}

std::optional<int64_t> AsInt(const Value& value) {
  const std::optional<Value> number = AsNumber(value);
  if (!number) return std::nullopt;
  if (number->Is<bool>()) return number->Get<bool>() ? 1 : 0;
  if (number->Is<int64_t>()) return number->Get<int64_t>();
  if (!number->Is<double>()) return std::nullopt;
  const double real = number->Get<double>();
  // Beyond 2^53 neighbouring integers are not distinguishable any more.
  if (real != std::floor(real) || std::abs(real) > 9007199254740992.0) return std::nullopt;
  return static_cast<int64_t>(real);
}

std::optional<double> AsFloat(const Value& value) {
  if (value.Is<std::string>()) {  // the format writes these without quotes, so they arrive as words
    const std::string& word = value.Get<std::string>();
    if (word == "inf") return INFINITY;
    if (word == "-inf") return -INFINITY;
    if (word == "nan" || word == "nan.0" || word == "-nan" || word == "-nan.0") return NAN;
    return std::nullopt;
  }
  const std::optional<Value> number = AsNumber(value);
  if (!number) return std::nullopt;
  if (number->Is<bool>()) return number->Get<bool>() ? 1.0 : 0.0;
  if (number->Is<int64_t>()) return static_cast<double>(number->Get<int64_t>());
  if (number->Is<double>()) return number->Get<double>();
  return std::nullopt;
}

std::vector<Value> Items(const Value& value) {
  if (value.Is<Value::List>()) return value.Get<Value::List>();
  if (value.Is<NdArray>() && value.Get<NdArray>().rank() == 1) {
    const NdArray array = value.Get<NdArray>().Contiguous();
    std::vector<Value> items;
    for (int64_t i = 0; i < array.size(); ++i) items.push_back(NumberFromArray(array.AsStrided({}, {}, i)));
    return items;
  }
  return {value};
}

RuntimeDataType AsType(const Value& value) {
  if (value.Is<std::string>()) return TypeFromTorchName(value.Get<std::string>());
  if (value.Is<int64_t>()) return TypeFromTorchCode(value.Get<int64_t>());
  return RuntimeDataType::kTypeUnknown;
}

namespace {

template <class Convert>
bool AllItems(const Value& value, const Convert& convert) {
  const std::vector<Value> items = Items(value);
  return std::all_of(items.begin(), items.end(), [&](const Value& item) { return convert(item).has_value(); });
}

}  // namespace

bool Fits(const ArgumentSchema& argument, const Value& value) {
  if (value.IsNone()) return argument.optional || (argument.default_value && argument.default_value->IsNone());
  switch (argument.kind) {
    case ArgumentKind::kInt:
      return Items(value).size() == 1 && AllItems(value, AsInt);
    case ArgumentKind::kIntList:
      return AllItems(value, AsInt);
    case ArgumentKind::kFloat:
      return Items(value).size() == 1 && AllItems(value, AsFloat);
    case ArgumentKind::kFloatList:
      return AllItems(value, AsFloat);
    case ArgumentKind::kBool:
      return AsInt(value).has_value();
    case ArgumentKind::kString:
      return value.Is<std::string>();
    case ArgumentKind::kNumber:
      return AsNumber(value).has_value() || AsFloat(value).has_value();
    case ArgumentKind::kType:
      return AsType(value) != RuntimeDataType::kTypeUnknown;
    case ArgumentKind::kTensor:
      return value.IsNumber() || AsFloat(value).has_value() || value.Is<NdArray>();
    case ArgumentKind::kTensorList:
    case ArgumentKind::kAny:
      return true;
  }
  return true;
}

}  // namespace kuiper_infer
