// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {

/// One element-wise operation.
struct ElementwiseRow {
  std::vector<std::string> types;  ///< all its spellings
  std::string arguments;           ///< in PyTorch's notation, as in OperationTable::Add
  std::string formula;             ///< a formula of the arguments' names
  /// Makes the plan if it needs more than the formula; otherwise empty.
  OperationPlan (*plan)(const Arguments& arguments, const Formula& formula) = PlanFormula;
};

inline constexpr const char* kOneArray = "Tensor input|self";
inline constexpr const char* kTwoArrays = "Tensor input|self, Tensor other";

// The rows of each family.
std::vector<ElementwiseRow> ActivationRows();
std::vector<ElementwiseRow> ArithmeticRows();
std::vector<ElementwiseRow> ComparisonRows();
std::vector<ElementwiseRow> LossRows();
std::vector<ElementwiseRow> MathRows();
std::vector<ElementwiseRow> SpecialRows();

/// Adds an operation for each row.
void AddRows(const std::vector<ElementwiseRow>& rows, OperationTable& table);

/// The whole table.
std::vector<ElementwiseRow> ElementwiseRows();

}  // namespace kuiper_infer
