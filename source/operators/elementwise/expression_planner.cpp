// SPDX-License-Identifier: MIT
#include "operators/elementwise/expression_planner.hpp"

#include <cerrno>
#include <complex>
#include <cstdlib>
#include <limits>

#include "operators/elementwise/scalar_math.hpp"
#include "shape/promote.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer {
namespace {

/// Throws Error(kArgument) for an integer that 64 bits don't hold.
Value ParseNumber(const std::string& text) {
  if (text.find("inf") != std::string::npos)
    return text[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (text.find("nan") != std::string::npos) return std::numeric_limits<double>::quiet_NaN();
  char* end = nullptr;
  const double real = std::strtod(text.c_str(), &end);
  if (*end != '\0') {  // complex
    if (*end == 'j') return std::complex<double>(0, real);
    return std::complex<double>(real, std::strtod(*end == '+' && end[1] == '-' ? end + 1 : end, nullptr));
  }
  if (text.find_first_of(".eE") != std::string::npos) return real;
  errno = 0;
  const int64_t integer = std::strtoll(text.c_str(), nullptr, 10);
  if (errno == ERANGE) throw Error(ErrorCode::kArgument, "found " + Shorten(text) + ", expected integers of 64 bits");
  return integer;
}

}  // namespace

void ExpressionPlanner::Fail(const std::string& text) const {
  throw Error(ErrorCode::kArgument, std::string(kind_) + " '" + text_ + "': " + text);
}

ExpressionPlanner::Item ExpressionPlanner::Pop() {
  Item item = std::move(stack_.back());
  stack_.pop_back();
  return item;
}

void ExpressionPlanner::RequireNoList(const Item& item) const {
  if (item.operand < 0) return;
  const Argument& input = inputs_[static_cast<std::size_t>(item.operand)];
  if (input.list() != nullptr || item.known.Is<Value::List>()) {
    Fail("operand @" + std::to_string(item.operand) + " is a list, expected an array or a number");
  }
}

ExpressionPlanner::Item ExpressionPlanner::PopNumbers() {
  Item item = Pop();
  RequireNoList(item);
  return item;
}

void ExpressionPlanner::PushKnown(Value value) {
  Item item;
  item.known = std::move(value);
  stack_.push_back(std::move(item));
}

void ExpressionPlanner::PushList(std::size_t count) {
  Value::List items;
  for (auto item = stack_.end() - static_cast<std::ptrdiff_t>(count); item != stack_.end(); ++item) {
    RequireNoList(*item);
    if (item->array) Fail("a list of arrays stands within the expression, expected numbers");
    items.push_back(item->known);
  }
  stack_.resize(stack_.size() - count);
  PushKnown(std::move(items));
}

void ExpressionPlanner::Push(const TokenNode& node) {
  if (node.num_index >= 0) return PushOperand(node.num_index);
  switch (static_cast<TokenType>(node.num_index)) {
    case TokenType::TokenNumber:
      return PushKnown(ParseNumber(node.text));
    case TokenType::TokenWord:
      return PushKnown(node.text == "None"                           ? Value()
                       : node.text == "True" || node.text == "False" ? Value(node.text == "True")
                                                                     : Value(node.text));
    case TokenType::TokenCast:
      return PushCast(node.text);
    case TokenType::TokenSize:
      return PushSize(node.right != nullptr);
    case TokenType::TokenSin:
    case TokenType::TokenUnary:
      return PushUnary(*kernel::FindUnary(node.text));
    default:
      return PushBinary(*kernel::FindBinary(node.text));
  }
}

void ExpressionPlanner::PushOperand(int index) {
  if (index >= static_cast<int>(inputs_.size())) {
    Fail("operand @" + std::to_string(index) + " is used, but the operator has only " + std::to_string(inputs_.size()) +
         " inputs");
  }
  const Argument& input = inputs_[static_cast<std::size_t>(index)];
  Item item;
  item.operand = index;
  if (const TensorArgument* tensor = input.tensor()) {
    item.array = true;
    item.spec.type = tensor->spec.type;
    item.spec.shape = tensor->spec.shape;
    item.spec.python_scalar = tensor->spec.python_scalar;
    item.begin = program_.size();
    program_.push_back(InputInstruction(index, tensor->spec.type));
  } else if (input.known() != nullptr) {
    item.known = *input.known();
  } else {
    item.array = true;  // a list, which nothing computes with
    item.spec = TensorSpec(RuntimeDataType::kTypeUnknown, {0});
    item.begin = program_.size();
  }
  stack_.push_back(std::move(item));
}

void ExpressionPlanner::PushSize(bool with_axis) {
  const Item axis = with_axis ? Pop() : Item();
  const Item array = Pop();
  const TensorArgument* tensor =
      array.operand >= 0 ? inputs_[static_cast<std::size_t>(array.operand)].tensor() : nullptr;
  if (tensor == nullptr) Fail("size needs an array operand");
  program_.resize(array.begin);  // only the shape is read
  const Shape& shape = tensor->spec.shape;
  if (!with_axis) {
    Value::List extents;
    for (const int64_t extent : shape) extents.emplace_back(extent);
    return PushKnown(extents);
  }
  const auto rank = static_cast<int64_t>(shape.size());
  if (!axis.known.Is<int64_t>() || axis.known.Get<int64_t>() < -rank || axis.known.Get<int64_t>() >= rank) {
    Fail("size of axis " + ValueString(axis.known) + ", expected an axis of an array of shape " + ShapeString(shape));
  }
  const int64_t index = axis.known.Get<int64_t>();
  PushKnown(shape[static_cast<std::size_t>(index < 0 ? index + rank : index)]);
}

void ExpressionPlanner::PushCast(const std::string& type) {
  Item item = PopNumbers();
  if (!item.array) return PushKnown(CastNumber(type, RequireNumber(item)));
  // A number that is computed while running.
  kernel::BlockInstruction cast = UnaryInstruction(*kernel::FindUnary("positive"), item.spec.type);
  cast.result = type == "int" ? RuntimeDataType::kTypeInt64 : TypeFromTorchName(type);
  Emit(item, cast);
}

std::array<double, 3> ExpressionPlanner::PopParameters(const kernel::UnaryFunction& function) {
  std::array<double, 3> parameters{};
  for (int i = function.parameters; i > 0; --i) {
    parameters[static_cast<std::size_t>(i - 1)] = AsReal(RequireNumber(PopNumbers()));
  }
  return parameters;
}

void ExpressionPlanner::PushUnary(const kernel::UnaryFunction& function) {
  const std::array<double, 3> parameters = PopParameters(function);
  Item item = PopNumbers();
  if (!item.array) return PushKnown(ApplyToNumber(function, RequireNumber(item), parameters));
  kernel::BlockInstruction instruction = UnaryInstruction(function, item.spec.type);
  instruction.parameters = parameters;
  Emit(std::move(item), instruction);
}

void ExpressionPlanner::Emit(Item item, const kernel::BlockInstruction& instruction) {
  program_.push_back(instruction);
  item.spec.type = instruction.result;
  item.operand = -1;
  stack_.push_back(std::move(item));
}

void ExpressionPlanner::PushBinary(const kernel::BinaryFunction& function) {
  Item right = PopNumbers();
  Item left = PopNumbers();
  if (!left.array && !right.array) {
    const Value a = RequireNumber(left);
    const Value b = RequireNumber(right);
    try {
      return PushKnown(ApplyToNumbers(function, a, b));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kArgument) throw;
      Fail(error.what());
    }
  }
  for (Item* number : {&left, &right}) {
    if (!number->array) number->spec = ArrayFromNumber(RequireNumber(*number)).spec();
  }
  const kernel::BlockInstruction instruction = BinaryInstruction(function, Promote(left.spec, right.spec));
  if (!left.array) {
    program_.insert(program_.begin() + static_cast<std::ptrdiff_t>(right.begin),
                    ConstantInstruction(left.known, instruction.type));
  }
  if (!right.array) program_.push_back(ConstantInstruction(right.known, instruction.type));
  Item item;
  item.array = true;
  item.begin = left.array ? left.begin : right.begin;
  const bool python_scalar = left.spec.python_scalar && right.spec.python_scalar;
  item.spec = std::move(left.spec.rank() >= right.spec.rank() ? left.spec : right.spec);
  item.spec.python_scalar = python_scalar;
  Emit(std::move(item), instruction);
}

Value ExpressionPlanner::RequireNumber(const Item& item) const {
  if (item.array) Fail("found an array, expected a number");
  if (!item.known.IsNumber()) Fail("found " + ValueString(item.known) + ", expected a number");
  return item.known;
}

}  // namespace kuiper_infer
