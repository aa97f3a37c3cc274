// SPDX-License-Identifier: MIT
#include "operation/arguments.hpp"

#include "operation/argument_value.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void FailKind(const std::string& name, const char* wanted, const Argument& found) {
  const Value* value = found.known();
  const bool missing = found.absent() || (value != nullptr && value->IsNone());
  throw Error(ErrorCode::kArgument, missing ? "argument '" + name + "' is missing, expected " + wanted
                                            : "argument '" + name + "' is " + Describe(found) + ", expected " + wanted);
}

}  // namespace

Arguments::Arguments(std::string type, const Schema* schema, std::vector<Argument> values,
                     std::map<std::string, TensorArgument> attributes, const PlanningContext& context, int output_count,
                     RecordedOutput recorded)
    : type_(std::move(type)),
      schema_(schema),
      values_(std::move(values)),
      attributes_(std::move(attributes)),
      context_(&context),
      output_count_(output_count),
      recorded_(recorded) {}

const Argument& Arguments::Get(const std::string& name) const {
  static const Argument kAbsent;
  const int index = schema_->Find(name);
  return index >= 0 && index < static_cast<int>(values_.size()) ? values_[index] : kAbsent;
}

bool Arguments::Has(const std::string& name) const { return !Get(name).none() || attributes_.count(name) != 0; }

const Value& Arguments::Known(const std::string& name, const char* wanted) const {
  const Argument& argument = Get(name);
  const Value* value = argument.known();
  if (value == nullptr || value->IsNone()) FailKind(name, wanted, argument);
  return *value;
}

const TensorArgument& Arguments::Tensor(const std::string& name) const {
  const TensorArgument* tensor = OptionalTensor(name);
  if (tensor == nullptr) FailKind(name, "a Tensor", Get(name));
  return *tensor;
}

const TensorArgument* Arguments::OptionalTensor(const std::string& name) const {
  const Argument& argument = Get(name);
  if (const TensorArgument* tensor = argument.tensor()) return tensor;
  if (const auto attribute = attributes_.find(name); attribute != attributes_.end()) return &attribute->second;
  if (!argument.none()) FailKind(name, "a Tensor", argument);
  return nullptr;
}

std::vector<TensorArgument> Arguments::Tensors(const std::string& name) const {
  const Argument& argument = Get(name);
  if (const TensorArgument* tensor = argument.tensor()) return {*tensor};
  if (argument.list() == nullptr) FailKind(name, "a list of Tensors", argument);
  std::vector<TensorArgument> tensors;
  for (const Argument& item : *argument.list()) {
    if (item.tensor() == nullptr) FailKind(name, "a list of Tensors", item);
    tensors.push_back(*item.tensor());
  }
  return tensors;
}

int64_t Arguments::Int(const std::string& name) const {
  const Value& value = Known(name, "an int");
  const std::vector<Value> items = Items(value);
  const std::optional<int64_t> number = items.size() == 1 ? AsInt(items.front()) : std::nullopt;
  if (!number) FailKind(name, "an int", Get(name));
  return *number;
}

double Arguments::Float(const std::string& name) const {
  const Value& value = Known(name, "a float");
  const std::vector<Value> items = Items(value);
  const std::optional<double> number = items.size() == 1 ? AsFloat(items.front()) : std::nullopt;
  if (!number) FailKind(name, "a float", Get(name));
  return *number;
}

bool Arguments::Bool(const std::string& name) const {
  const std::optional<int64_t> number = AsInt(Known(name, "a bool"));
  if (!number) FailKind(name, "a bool", Get(name));
  return *number != 0;
}

std::string Arguments::String(const std::string& name) const {
  const Value& value = Known(name, "a str");
  if (!value.Is<std::string>()) FailKind(name, "a str", Get(name));
  return value.Get<std::string>();
}

Value Arguments::Number(const std::string& name) const {
  const Value& value = Known(name, "a number");
  if (const std::optional<Value> number = AsNumber(value)) return *number;
  const std::optional<double> word = AsFloat(value);
  if (!word) FailKind(name, "a number", Get(name));
  return *word;
}

RuntimeDataType Arguments::Type(const std::string& name) const {
  const Argument& argument = Get(name);
  if (argument.none()) return RuntimeDataType::kTypeUnknown;
  const Value& value = Known(name, "an element type");
  const RuntimeDataType type = AsType(value);
  if (type == RuntimeDataType::kTypeUnknown) FailKind(name, "an element type such as torch.float", argument);
  return type;
}

std::vector<int64_t> Arguments::Ints(const std::string& name) const {
  std::vector<int64_t> numbers;
  for (const Value& item : Items(Known(name, "a list of ints"))) {
    const std::optional<int64_t> number = AsInt(item);
    if (!number) FailKind(name, "a list of ints", Get(name));
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<int64_t> Arguments::Ints(const std::string& name, int64_t count) const {
  std::vector<int64_t> numbers = Ints(name);
  if (numbers.size() == 1) numbers.resize(static_cast<std::size_t>(count), numbers.front());
  if (static_cast<int64_t>(numbers.size()) != count) {
    FailKind(name, ("a list of " + std::to_string(count) + " ints").c_str(), Get(name));
  }
  return numbers;
}

std::vector<double> Arguments::Floats(const std::string& name) const {
  std::vector<double> numbers;
  for (const Value& item : Items(Known(name, "a list of floats"))) {
    const std::optional<double> number = AsFloat(item);
    if (!number) FailKind(name, "a list of floats", Get(name));
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace kuiper_infer
