// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_table.hpp"

#include "operation/operation.hpp"

namespace kuiper_infer {

void AddRows(const std::vector<ElementwiseRow>& rows, OperationTable& table) {
  for (const ElementwiseRow& row : rows) {
    const auto formula = std::make_shared<const Formula>(row.formula);
    const auto plan = [plan = row.plan, formula](const Arguments& arguments) { return plan(arguments, *formula); };
    table.Add(row.types, row.arguments, plan, InputLayout::kStrided, formula->IsUnary() ? Unary() : OutputValues());
  }
}

std::vector<ElementwiseRow> ElementwiseRows() {
  std::vector<ElementwiseRow> rows;
  for (const auto& part : {ActivationRows, ArithmeticRows, ComparisonRows, LossRows, MathRows, SpecialRows}) {
    for (ElementwiseRow& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

void RegisterElementwiseTable(OperationTable& table) {
  for (const auto& part : {ActivationRows, ArithmeticRows, ComparisonRows, MathRows, SpecialRows})
    AddRows(part(), table);
}

}  // namespace kuiper_infer
