// SPDX-License-Identifier: MIT
#include "layer/details/recurrent.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanGru(const Arguments& arguments) { return PlanRecurrent(arguments, kernel::RecurrentCell::kGru); }

}  // namespace

void RegisterGru(OperationTable& table) { table.Add({"nn.GRU"}, RecurrentSchema("Tensor? h0|hx=None", ""), PlanGru); }

}  // namespace kuiper_infer
