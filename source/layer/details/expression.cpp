// SPDX-License-Identifier: MIT
#include "layer/abstract/operation_list.hpp"
#include "layer/details/expression_planner.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanExpression(const Arguments& arguments) { return ExpressionPlanner(arguments).Plan(); }

}  // namespace

OperationPlan ExpressionPlanner::Plan() {
  ExpressionParser parser(arguments_.String("expr"));
  const auto nodes = parser.Generate();
  for (const auto& node : nodes) {
    const bool list = node->num_index == static_cast<int32_t>(TokenType::TokenLeftSquare);
    if (list && node == nodes.back()) return PlanList(node->items.size());
    list ? PushList(node->items.size()) : Push(*node);
  }
  return PlanItem(stack_.back());
}

OperationPlan ExpressionPlanner::PlanItem(const Item& item) {
  OperationPlan plan;
  if (!item.array) {
    plan.outputs = {OutputPlan::Known(item.known)};
  } else if (item.operand >= 0) {
    plan.outputs = {OutputPlan::Forward(inputs_[static_cast<std::size_t>(item.operand)])};
  } else {
    return PlanBlockProgram(std::move(program_), operands_, item.spec.python_scalar);
  }
  return plan;
}

OperationPlan ExpressionPlanner::PlanList(std::size_t count) {
  std::vector<OutputPlan> items;
  std::vector<std::function<void(const RunContext&)>> runs;
  Value::List known;
  for (std::size_t i = stack_.size() - count; i < stack_.size(); ++i) {
    RequireNoList(stack_[i]);
    const bool computed = stack_[i].array && stack_[i].operand < 0;
    OperationPlan item = computed ? PlanPart(i) : PlanItem(stack_[i]);
    items.push_back(std::move(item.outputs.front()));
    if (computed) runs.push_back(CallOf(item, arguments_.context()).run);
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

OperationPlan ExpressionPlanner::PlanPart(std::size_t index) {
  const Item& item = stack_[index];
  std::size_t next = index + 1;
  while (next < stack_.size() && !stack_[next].array) ++next;
  const std::size_t end = next < stack_.size() ? stack_[next].begin : program_.instructions.size();
  kernel::BlockProgram part;
  std::vector<TensorArgument> operands;
  for (std::size_t i = item.begin; i < end; ++i) {
    part.instructions.push_back(program_.instructions[i]);
    kernel::BlockInstruction& instruction = part.instructions.back();
    if (instruction.kind != kernel::BlockInstruction::Kind::kInput) continue;
    operands.push_back(operands_[static_cast<std::size_t>(instruction.input)]);
    instruction.input = static_cast<int>(operands.size()) - 1;
  }
  return PlanBlockProgram(std::move(part), operands, item.spec.python_scalar);
}

void RegisterExpression(OperationTable& table) {
  table.Add({"pnnx.Expression"}, "any[] inputs, str expr", PlanExpression, InputLayout::kStrided);
}

}  // namespace kuiper_infer
