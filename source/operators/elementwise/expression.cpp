// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/operation.hpp"
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

void RegisterExpression(OperationTable& table) {
  table.Add({"pnnx.Expression"}, "any[] inputs, str expr", PlanExpression, InputLayout::kStrided,
            Preserves({"inputs"}, ListsInputs));
}

}  // namespace kuiper_infer
