// SPDX-License-Identifier: MIT
// The functions of an expression: known numbers are computed at once, arrays by instructions.
#include "operators/elementwise/expression_planner.hpp"
#include "operators/elementwise/scalar_math.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {

void ExpressionPlanner::PushCast(const std::string& type) {
  Item item = PopNumbers();
  if (!item.array) return PushKnown(CastNumber(type, RequireNumber(item)));
  // A number that is computed while running.
  kernel::BlockInstruction cast = UnaryInstruction(*kernel::FindUnary("positive"), item.spec.type);
  cast.result = type == "int" ? RuntimeDataType::kTypeInt64 : TypeFromTorchName(type);
  Emit(item, cast);
}

void ExpressionPlanner::PushUnary(const kernel::UnaryFunction& function) {
  const std::array<double, 3> parameters = PopParameters(function);
  Item item = PopNumbers();
  if (!item.array) return PushKnown(ApplyToNumber(function, RequireNumber(item), parameters));
  kernel::BlockInstruction instruction = UnaryInstruction(function, item.spec.type);
  instruction.parameters = parameters;
  Emit(std::move(item), instruction);
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

std::array<double, 3> ExpressionPlanner::PopParameters(const kernel::UnaryFunction& function) {
  std::array<double, 3> parameters{};
  for (int i = function.parameters; i > 0; --i) {
    parameters[static_cast<std::size_t>(i - 1)] = AsReal(RequireNumber(PopNumbers()));
  }
  return parameters;
}

void ExpressionPlanner::Emit(Item item, const kernel::BlockInstruction& instruction) {
  program_.push_back(instruction);
  item.spec.type = instruction.result;
  item.operand = -1;
  stack_.push_back(std::move(item));
}

ExpressionPlanner::Item ExpressionPlanner::Pop() {
  Item item = std::move(stack_.back());
  stack_.pop_back();
  return item;
}

ExpressionPlanner::Item ExpressionPlanner::PopNumbers() {
  Item item = Pop();
  RequireNoList(item);
  return item;
}

Value ExpressionPlanner::RequireNumber(const Item& item) const {
  if (item.array) Fail("found an array, expected a number");
  if (!item.known.IsNumber()) Fail("found " + ValueString(item.known) + ", expected a number");
  return item.known;
}

}  // namespace kuiper_infer
