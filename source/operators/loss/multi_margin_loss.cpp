// SPDX-License-Identifier: MIT
#include "kernel/loss/class_loss.hpp"
#include "operators/loss/class_loss.hpp"

namespace kuiper_infer {
namespace {

/// Plans the hinge loss of one class for each row, or with multilabel_margin_loss of a list of classes.
OperationPlan PlanMultiMargin(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  arguments.Require(input.spec.rank() == 1 || input.spec.rank() == 2,
                    "input is " + ShapeString(input.spec.shape) + ", expected rank 1 or 2");
  const bool batched = input.spec.rank() == 2;
  const int64_t rows = batched ? input.spec.shape[0] : 1;
  const int64_t classes = input.spec.shape.back();
  const bool lists = arguments.schema().Find("margin") < 0;  // multilabel_margin_loss: targets are lists
  const Shape losses = batched ? Shape{rows} : Shape{};
  const TensorArgument& target = ReadTargets(arguments, lists ? input.spec.shape : losses);
  const int weight = lists ? -1 : ParameterInput(arguments, "weight", {classes}, input.spec.type);
  const double p = lists ? 1 : arguments.Float("p");
  const double margin = lists ? 1 : arguments.Float("margin");
  arguments.Require(p == 1 || p == 2, "p is " + std::to_string(p) + ", expected 1 or 2");
  return PlanReducedLoss(arguments, input.spec.type, losses,
                         [=, x = input.input, y = target.input](const RunContext& c, auto* each) {
                           using T = std::remove_reference_t<decltype(*each)>;
                           const auto* targets = c.inputs[y].as<int64_t>();
                           if (lists) {
                             kernel::MultilabelMarginLoss<T>(rows, classes, c.inputs[x].as<T>(), targets, each);
                           } else {
                             kernel::MultiMarginLoss<T>(rows, classes, p, margin, c.inputs[x].as<T>(), targets,
                                                        DataOrNull<T>(c, weight), each);
                           }
                           return static_cast<double>(rows);
                         });
}

}  // namespace

void RegisterMultiMarginLoss(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor target, ";
  table.Add({"aten::multi_margin_loss"}, pair + "float p=1, float margin=1, Tensor? weight=None, int reduction=1",
            PlanMultiMargin);
  table.Add({"aten::multilabel_margin_loss"}, pair + "int reduction=1", PlanMultiMargin);
}

}  // namespace kuiper_infer
