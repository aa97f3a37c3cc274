// SPDX-License-Identifier: MIT
// What an expression computes with: operands and their sizes, numbers and lists.
#include <cerrno>
#include <complex>
#include <cstdlib>
#include <limits>

#include "operators/elementwise/expression_planner.hpp"
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

void ExpressionPlanner::PushNumber(const std::string& text) { PushKnown(ParseNumber(text)); }

void ExpressionPlanner::PushWord(const std::string& text) {
  if (text == "None") return PushKnown(Value());
  PushKnown(text == "True" || text == "False" ? Value(text == "True") : Value(text));
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

void ExpressionPlanner::RequireNoList(const Item& item) const {
  if (item.operand < 0) return;
  const Argument& input = inputs_[static_cast<std::size_t>(item.operand)];
  if (input.list() != nullptr || item.known.Is<Value::List>()) {
    Fail("operand @" + std::to_string(item.operand) + " is a list, expected an array or a number");
  }
}

}  // namespace kuiper_infer
