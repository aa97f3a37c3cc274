// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanLstm(const Arguments& arguments) { return PlanRecurrent(arguments, kernel::RecurrentCell::kLstm); }

OperationPlan PlanLstmFunction(const Arguments& arguments) {
  return PlanRecurrentFunction(arguments, kernel::RecurrentCell::kLstm);
}

}  // namespace

void RegisterLstm(OperationTable& table) {
  table.Add({"nn.LSTM"}, RecurrentSchema("Tensor? h0|hx=None, Tensor? c0|cx=None", ", int? proj_size=0"), PlanLstm);
  table.Add({"aten::lstm"}, RecurrentFunctionSchema("Tensor[] hx"), PlanLstmFunction);
}

}  // namespace kuiper_infer
