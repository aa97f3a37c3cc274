// SPDX-License-Identifier: MIT
#include "operators/elementwise/expression_planner.hpp"

#include "operation/planning_context.hpp"

namespace kuiper_infer {

OperationPlan ExpressionPlanner::Plan(const Nodes& nodes) {
  stack_.reserve(nodes.size());
  program_.reserve(nodes.size());
  for (const auto& node : nodes) {
    const bool list = node->num_index == static_cast<int32_t>(TokenType::TokenLeftSquare);
    if (list && node == nodes.back()) return PlanList(node->items.size());
    list ? PushList(node->items.size()) : Push(*node);
  }
  return PlanItem(stack_.size() - 1);
}

void ExpressionPlanner::Push(const TokenNode& node) {
  if (node.num_index >= 0) return PushOperand(node.num_index);
  switch (static_cast<TokenType>(node.num_index)) {
    case TokenType::TokenNumber:
      return PushNumber(node.text);
    case TokenType::TokenWord:
      return PushWord(node.text);
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

OperationPlan ExpressionPlanner::PlanItem(std::size_t index) {
  const Item& item = stack_[index];
  OperationPlan plan;
  if (!item.array) {
    plan.outputs = {OutputPlan::Known(item.known)};
  } else if (item.operand >= 0) {
    plan.outputs = {OutputPlan::Forward(inputs_[static_cast<std::size_t>(item.operand)])};
  } else {
    return PlanProgram(index);
  }
  return plan;
}

OperationPlan ExpressionPlanner::PlanList(std::size_t count) {
  std::vector<OutputPlan> items;
  std::vector<std::function<void(const RunContext&)>> runs;
  Value::List known;
  for (std::size_t i = stack_.size() - count; i < stack_.size(); ++i) {
    RequireNoList(stack_[i]);
    OperationPlan item = PlanItem(i);
    items.push_back(std::move(item.outputs.front()));
    KernelCall call = CallOf(item, PlanningContext{});  // element-wise calls don't depend on the context
    if (call.run) runs.push_back(std::move(call.run));
    if (!stack_[i].array) known.push_back(stack_[i].known);
  }
  OperationPlan plan;
  plan.outputs = {known.size() == count ? OutputPlan::Known(known) : OutputPlan::List(std::move(items))};
  if (runs.empty()) return plan;
  plan.run = [runs = std::move(runs)](const RunContext& c) {
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i]({c.inputs, c.outputs + i, c.workspace});
  };
  return plan;
}

OperationPlan ExpressionPlanner::PlanProgram(std::size_t index) {
  const Item& item = stack_[index];
  std::size_t next = index + 1;
  while (next < stack_.size() && !stack_[next].array) ++next;
  const std::size_t end = next < stack_.size() ? stack_[next].begin : program_.size();
  const bool whole = stack_.size() == 1;  // no other item needs the instructions and the inputs
  kernel::BlockProgram program;
  if (whole) {
    program.instructions = std::move(program_);
  } else {
    program.instructions.assign(program_.begin() + static_cast<std::ptrdiff_t>(item.begin),
                                program_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  std::vector<TensorArgument> operands;
  operands.reserve(inputs_.size());
  std::vector<int> places(inputs_.size(), -1);  // the place of each input among the program's operands
  for (kernel::BlockInstruction& instruction : program.instructions) {
    if (instruction.kind != kernel::BlockInstruction::Kind::kInput) continue;
    const auto input = static_cast<std::size_t>(instruction.input);
    if (places[input] < 0) {
      places[input] = static_cast<int>(operands.size());
      auto& operand = std::get<TensorArgument>(inputs_[input].value);
      operands.push_back(whole ? std::move(operand) : operand);
    }
    instruction.input = places[input];
  }
  return PlanBlockProgram(std::move(program), operands, item.spec.python_scalar);
}

void ExpressionPlanner::Fail(const std::string& text) const {
  throw Error(ErrorCode::kArgument, std::string(kind_) + " '" + text_ + "': " + text);
}

}  // namespace kuiper_infer
