// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "data/bool_bytes.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/binder.hpp"
#include "operation/half_results.hpp"
#include "operation/quantized_weight.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer {
namespace {

template <class Parameter>
const Parameter* As(const RuntimeParameter& parameter) {
  return dynamic_cast<const Parameter*>(&parameter);
}

template <class T, class Item>
Value::List ListOf(const std::vector<Item>& items) {
  Value::List list;
  for (const Item& item : items) list.emplace_back(static_cast<T>(item));
  return list;
}

/// The numbers of "(0.5,2.0)": decimal text holds more digits than the float the classic parameter keeps.
std::vector<double> DoublesFromText(const std::string& text) {
  std::vector<double> numbers;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    if (end != at) numbers.push_back(number);
    at = end != at ? end : at + 1;
  }
  return numbers;
}

/// The integer of a classic parameter, which holds only 32 bits. `text`, from its first digit or sign on, has all
/// digits. The converter writes the ends of 32 bits for the ends of 64 bits ("up to the last element"), so they become
/// those.
int64_t ExactInteger(int held, const char* text) {
  using Limits = std::numeric_limits<int64_t>;
  const bool end = held == std::numeric_limits<int>::max() || held == std::numeric_limits<int>::min();
  if (!end || *text == '\0') return held;
  errno = 0;
  const int64_t exact = std::strtoll(text, nullptr, 10);
  if (errno == ERANGE) throw BindError("found " + Shorten(text) + ", expected integers of 64 bits", "", false);
  return exact == Limits::max() || exact == Limits::min() ? held : exact;
}

Value::List IntegersOf(const RuntimeParameterIntArray& parameter) {
  Value::List list;
  const char* at = parameter.text.c_str();
  for (const int held : parameter.value) {
    at += std::strcspn(at, "+-0123456789");
    list.emplace_back(ExactInteger(held, at));
    at += std::strspn(at, "+-0123456789");
  }
  return list;
}

Value ValueOf(const RuntimeParameter& parameter) {
  if (const auto* flag = As<RuntimeParameterBool>(parameter)) return flag->value;
  if (const auto* integer = As<RuntimeParameterInt>(parameter)) {
    return ExactInteger(integer->value, parameter.text.c_str());
  }
  if (const auto* real = As<RuntimeParameterFloat>(parameter)) {
    return parameter.text.empty() ? static_cast<double>(real->value) : std::strtod(parameter.text.c_str(), nullptr);
  }
  if (const auto* word = As<RuntimeParameterString>(parameter)) return word->value;
  if (const auto* integers = As<RuntimeParameterIntArray>(parameter)) return IntegersOf(*integers);
  if (const auto* reals = As<RuntimeParameterFloatArray>(parameter)) {
    const std::vector<double> exact = DoublesFromText(parameter.text);
    return exact.size() == reals->value.size() ? ListOf<double>(exact) : ListOf<double>(reals->value);
  }
  if (const auto* words = As<RuntimeParameterStringArray>(parameter)) return ListOf<std::string>(words->value);
  return {};
}

/// The attribute's weight, which takes its bytes over.
std::shared_ptr<Weight> WeightOf(const std::string& type, const std::string& key, RuntimeAttribute& attribute) {
  if (attribute.weight != nullptr) return attribute.weight;
  const TensorSpec spec(attribute.type, Shape(attribute.shape.begin(), attribute.shape.end()));
  const int64_t expected = ByteCount(spec.type, spec.shape);
  if (static_cast<int64_t>(attribute.weight_data.size()) != expected) {
    throw BindError("attribute '" + key + "' holds " + std::to_string(attribute.weight_data.size()) +
                        " bytes, expected " + std::to_string(expected) + " for " + SpecString(spec),
                    key, true);
  }
  const auto bytes = std::make_shared<std::vector<char>>(std::move(attribute.weight_data));
  const NdArray array = NdArray::View(bytes->data(), spec, bytes);
  MakeBoolBytes(array);
  const bool widens = IsHalf(spec.type) && type != "pnnx.Attribute";
  attribute.weight = std::make_shared<Weight>(widens ? array.To(RuntimeDataType::kTypeFloat32) : array);
  return attribute.weight;
}

}  // namespace

OperatorCall MakeOperatorCall(const RuntimeOperator& op) {
  OperatorCall call;
  call.name = op.name;
  call.type = op.type;
  for (const auto& [key, parameter] : op.params) {
    if (parameter != nullptr) call.params[key] = ValueOf(*parameter);
  }
  for (const auto& [key, attribute] : op.attribute) {
    if (attribute == nullptr) continue;
    if (attribute->type == RuntimeDataType::kTypeUnknown) {
      call.untyped_attributes.push_back(key);
    } else {
      call.attributes[key] = WeightOf(call.type, key, *attribute);
    }
  }
  JoinQuantizedWeights(call.attributes);
  call.input_names = op.input_names;
  call.input_count = static_cast<int>(op.input_operands_seq.size());
  call.output_count = static_cast<int>(op.output_operands_seq.size());
  if (!op.output_operands_seq.empty() && op.output_operands_seq.front() != nullptr) {
    const RuntimeOperand& output = *op.output_operands_seq.front();
    call.recorded = {output.type, output.has_shape ? static_cast<int64_t>(output.shapes.size()) : -1};
  }
  return call;
}

}  // namespace kuiper_infer
