// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "operation/operation.hpp"
#include "planning/topology.hpp"

namespace kuiper_infer {
namespace {

/// Whether an operator checks something while running: an assertion has no results.
bool IsAssertion(const RuntimeOperator& op) {
  if (!op.output_operands_seq.empty()) return false;
  const std::vector<Operation>& rows = OperationTable::Instance().Find(op.type);
  return !rows.empty() && rows.front().kind == OperationKind::kDataDependent;
}

}  // namespace

Operators WithoutDead(const Operators& order) {
  std::set<const RuntimeOperand*> needed;
  Operators alive;
  for (auto op = order.rbegin(); op != order.rend(); ++op) {
    const auto& results = (*op)->output_operands_seq;
    const bool kept = (*op)->type == "pnnx.Input" || (*op)->type == "pnnx.Output" || IsAssertion(**op);
    const bool used = kept || std::any_of(results.begin(), results.end(),
                                          [&](const auto& operand) { return needed.count(operand.get()) > 0; });
    if (!used) continue;
    for (const auto& operand : (*op)->input_operands_seq) needed.insert(operand.get());
    alive.push_back(*op);
  }
  std::reverse(alive.begin(), alive.end());
  return alive;
}

}  // namespace kuiper_infer
