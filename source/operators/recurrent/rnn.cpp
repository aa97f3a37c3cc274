// SPDX-License-Identifier: MIT
// The rows of GRU, LSTM and RNN, which differ in their cells and states.
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanGru(const Arguments& arguments) { return PlanRecurrent(arguments, kernel::RecurrentCell::kGru); }

OperationPlan PlanGruFunction(const Arguments& arguments) {
  return PlanRecurrentFunction(arguments, kernel::RecurrentCell::kGru);
}

OperationPlan PlanLstm(const Arguments& arguments) { return PlanRecurrent(arguments, kernel::RecurrentCell::kLstm); }

OperationPlan PlanLstmFunction(const Arguments& arguments) {
  return PlanRecurrentFunction(arguments, kernel::RecurrentCell::kLstm);
}

OperationPlan PlanRnn(const Arguments& arguments) {
  const std::string name = arguments.Has("nonlinearity") ? arguments.String("nonlinearity") : "tanh";
  if (name != "tanh" && name != "relu") {
    arguments.Fail(ErrorCode::kArgument, "nonlinearity is '" + name + "', expected 'tanh' or 'relu'");
  }
  return PlanRecurrent(arguments, name == "tanh" ? kernel::RecurrentCell::kTanh : kernel::RecurrentCell::kRelu);
}

template <kernel::RecurrentCell cell>
OperationPlan PlanRnnFunction(const Arguments& arguments) {
  return PlanRecurrentFunction(arguments, cell);
}

}  // namespace

void RegisterRnn(OperationTable& table) {
  table.Add({"nn.GRU"}, RecurrentSchema("Tensor? h0|hx=None", ""), PlanGru);
  table.Add({"aten::gru"}, RecurrentFunctionSchema("Tensor hx"), PlanGruFunction);
  table.Add({"nn.LSTM"}, RecurrentSchema("Tensor? h0|hx=None, Tensor? c0|cx=None", ", int? proj_size=0"), PlanLstm);
  table.Add({"aten::lstm"}, RecurrentFunctionSchema("Tensor[] hx"), PlanLstmFunction);
  table.Add({"nn.RNN"}, RecurrentSchema("Tensor? h0|hx=None", ", str? nonlinearity=tanh"), PlanRnn);
  const std::string schema = RecurrentFunctionSchema("Tensor hx");
  table.Add({"aten::rnn_tanh"}, schema, PlanRnnFunction<kernel::RecurrentCell::kTanh>);
  table.Add({"aten::rnn_relu"}, schema, PlanRnnFunction<kernel::RecurrentCell::kRelu>);
}

}  // namespace kuiper_infer
