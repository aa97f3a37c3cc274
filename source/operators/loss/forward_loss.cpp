// SPDX-License-Identifier: MIT
// Losses as PyTorch's automatic differentiation calls them.
#include "operation/backward_outputs.hpp"

namespace kuiper_infer {
namespace {

/// The type of the same loss without the other outputs.
const char* LossOf(const std::string& type) {
  if (type == "aten::nll_loss_forward") return "aten::nll_loss";
  return type == "aten::nll_loss2d_forward" ? "aten::nll_loss2d" : "aten::multilabel_margin_loss";
}

OperationPlan PlanForwardLoss(const Arguments& arguments) {
  OperationPlan plan = OperationTable::Instance().Get(LossOf(arguments.type())).plan(arguments);
  AddBackwardOutputs(arguments, plan);
  return plan;
}

}  // namespace

void RegisterForwardLoss(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor target, ";
  table.Add({"aten::nll_loss_forward", "aten::nll_loss2d_forward"},
            pair + "Tensor? weight=None, int reduction=1, int ignore_index=-100", PlanForwardLoss);
  table.Add({"aten::multilabel_margin_loss_forward"}, pair + "int reduction=1", PlanForwardLoss);
}

}  // namespace kuiper_infer
