// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanGru(const Arguments& arguments) { return PlanRecurrent(arguments, kernel::RecurrentCell::kGru); }

OperationPlan PlanGruFunction(const Arguments& arguments) {
  return PlanRecurrentFunction(arguments, kernel::RecurrentCell::kGru);
}

}  // namespace

void RegisterGru(OperationTable& table) {
  table.Add({"nn.GRU"}, RecurrentSchema("Tensor? h0|hx=None", ""), PlanGru);
  table.Add({"aten::gru"}, RecurrentFunctionSchema("Tensor hx"), PlanGruFunction);
}

}  // namespace kuiper_infer
