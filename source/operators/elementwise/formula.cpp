// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"

#include <algorithm>
#include <stdexcept>

#include "operators/elementwise/expression_planner.hpp"

namespace kuiper_infer {
namespace {

/// An argument of an operation as an operand.
Argument OperandOf(const Arguments& arguments, const std::string& name) {
  const int index = arguments.schema().Find(name);
  const ArgumentKind kind =
      index < 0 ? ArgumentKind::kTensor : arguments.schema().arguments()[static_cast<std::size_t>(index)].kind;
  if (kind == ArgumentKind::kTensor) return Argument{arguments.Tensor(name)};
  return Argument{kind == ArgumentKind::kFloat ? Value(arguments.Float(name)) : arguments.Number(name)};
}

Argument::List OperandsOf(const Arguments& arguments, const Formula& formula) {
  Argument::List operands;
  for (const std::string& name : formula.operands()) operands.push_back(OperandOf(arguments, name));
  return operands;
}

Argument::List InOrder(const Formula& formula, const CallArguments& given) {
  Argument::List operands;
  for (const std::string& name : formula.operands()) {
    const auto operand = given.find(name);
    if (operand == given.end()) throw std::logic_error("formula '" + formula.text() + "': no operand " + name);
    operands.push_back(operand->second);
  }
  return operands;
}

OperationPlan Plan(const Formula& formula, Argument::List operands) {
  return ExpressionPlanner("formula", formula.text(), std::move(operands)).Plan(formula.nodes());
}

TensorArgument Apply(Composition& composition, const Formula& formula, Argument::List operands) {
  std::vector<TensorArgument> arrays;
  for (const Argument& operand : operands) {
    if (operand.tensor() != nullptr) arrays.push_back(*operand.tensor());
  }
  return composition.Apply(arrays, [&](const std::vector<TensorArgument>& numbered) {
    auto array = numbered.begin();
    for (Argument& operand : operands) {
      if (operand.tensor() != nullptr) operand = Argument{*array++};
    }
    return Plan(formula, std::move(operands));
  });
}

}  // namespace

Formula::Formula(const std::string& text) : text_(text) {
  nodes_ = ExpressionParser(text, ExpressionParser::BareFunction::kWord).Generate();
  for (const auto& node : nodes_) {
    if (node->num_index != static_cast<int32_t>(TokenType::TokenWord)) continue;
    auto place = std::find(operands_.begin(), operands_.end(), node->text);
    if (place == operands_.end()) place = operands_.insert(operands_.end(), node->text);
    node->num_index = static_cast<int32_t>(place - operands_.begin());
  }
}

bool Formula::IsUnary() const {
  const TokenNode& last = *nodes_.back();
  const bool function = last.num_index == static_cast<int32_t>(TokenType::TokenUnary) ||
                        last.num_index == static_cast<int32_t>(TokenType::TokenSin);
  return function && last.left->num_index >= 0;
}

Formula Formula::WithoutFactor(const std::string& name) const {
  Formula rest = *this;
  const auto place = std::find(operands_.begin(), operands_.end(), name) - operands_.begin();
  const auto factor =
      std::find_if(rest.nodes_.begin(), rest.nodes_.end(), [&](const auto& node) { return node->num_index == place; });
  const bool multiplies = rest.nodes_.end() - factor > 1 && factor[1]->text == "mul";
  if (!multiplies) throw std::logic_error("formula '" + text_ + "' has no factor " + name);
  rest.nodes_.erase(factor, factor + 2);
  return rest;
}

OperationPlan PlanFormula(const Arguments& arguments, const Formula& formula) {
  return Plan(formula, OperandsOf(arguments, formula));
}

OperationPlan PlanFormula(const Formula& formula, const CallArguments& operands) {
  return Plan(formula, InOrder(formula, operands));
}

TensorArgument ApplyFormula(Composition& composition, const Formula& formula) {
  return Apply(composition, formula, OperandsOf(composition.outer(), formula));
}

TensorArgument ApplyFormula(Composition& composition, const Formula& formula, const CallArguments& operands) {
  return Apply(composition, formula, InOrder(formula, operands));
}

}  // namespace kuiper_infer
