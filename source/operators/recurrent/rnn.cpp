// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

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
  table.Add({"nn.RNN"}, RecurrentSchema("Tensor? h0|hx=None", ", str? nonlinearity=tanh"), PlanRnn);
  const std::string schema = RecurrentFunctionSchema("Tensor hx");
  table.Add({"aten::rnn_tanh"}, schema, PlanRnnFunction<kernel::RecurrentCell::kTanh>);
  table.Add({"aten::rnn_relu"}, schema, PlanRnnFunction<kernel::RecurrentCell::kRelu>);
}

}  // namespace kuiper_infer
