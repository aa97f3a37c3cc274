// SPDX-License-Identifier: MIT
#include "layer/details/recurrent.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanRnn(const Arguments& arguments) {
  const std::string name = arguments.Has("nonlinearity") ? arguments.String("nonlinearity") : "tanh";
  if (name != "tanh" && name != "relu") {
    arguments.Fail(ErrorCode::kArgument, "nonlinearity is '" + name + "', expected 'tanh' or 'relu'");
  }
  return PlanRecurrent(arguments, name == "tanh" ? kernel::RecurrentCell::kTanh : kernel::RecurrentCell::kRelu);
}

}  // namespace

void RegisterRnn(OperationTable& table) {
  table.Add({"nn.RNN"}, RecurrentSchema("Tensor? h0|hx=None", ", str? nonlinearity=tanh"), PlanRnn);
}

}  // namespace kuiper_infer
