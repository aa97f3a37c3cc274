// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/operation.hpp"
#include "operation/planning_context.hpp"
#include "operators/elementwise/expression_planner.hpp"

namespace kuiper_infer {
namespace {

/// Turns a constant that stands for a Python number into that number: expressions compute exactly with numbers.
Argument AsNumber(const Argument& input) {
  const TensorArgument* tensor = input.tensor();
  const bool number = tensor != nullptr && tensor->is_constant() && tensor->spec.python_scalar;
  return number ? Argument{NumberFromArray(tensor->values())} : input;
}

/// Whether the expression is a list of inputs, such as "[@0,@1]". Files have lists like this in front of a join.
bool ListsInputs(const Arguments& arguments) {
  const std::string text = arguments.String("expr");
  const bool list =
      text.size() > 2 && text.front() == '[' && text.find_first_not_of("@0123456789,", 1) + 1 == text.size();
  return list && text.back() == ']' &&
         std::count(text.begin(), text.end(), '@') == std::count(text.begin(), text.end(), ',') + 1;
}

OperationPlan PlanExpression(const Arguments& arguments) {
  const std::string text = arguments.String("expr");
  Argument::List inputs;
  if (const Argument::List* list = arguments.Get("inputs").list()) inputs = *list;
  std::transform(inputs.begin(), inputs.end(), inputs.begin(), AsNumber);
  return ExpressionPlanner("expression", text, std::move(inputs)).Plan(ExpressionParser(text).Generate());
}

}  // namespace

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

void RegisterExpression(OperationTable& table) {
  table.Add({"pnnx.Expression"}, "any[] inputs, str expr", PlanExpression, InputLayout::kStrided,
            Preserves({"inputs"}, ListsInputs));
}

}  // namespace kuiper_infer
