// SPDX-License-Identifier: MIT
#include "layer/details/elementwise_table.hpp"

#include "layer/abstract/operation_list.hpp"

namespace kuiper_infer {

std::vector<ElementwiseRow> ElementwiseRows() {
  std::vector<ElementwiseRow> rows;
  for (const auto& family : {ActivationRows, ArithmeticRows, ComparisonRows, LossRows, MathRows}) {
    for (ElementwiseRow& row : family()) rows.push_back(std::move(row));
  }
  return rows;
}

void RegisterElementwise(OperationTable& table) {
  for (const ElementwiseRow& row : ElementwiseRows()) {
    const auto plan = [plan = row.plan, formula = Formula(row.formula)](const Arguments& arguments) {
      return plan(arguments, formula);
    };
    table.Add(row.types, row.arguments, plan, InputLayout::kStrided);
  }
}

}  // namespace kuiper_infer
