// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kuiper_infer/parser/parse_expression.hpp"
#include "operation/composition.hpp"

namespace kuiper_infer {

/// An element-wise formula in the form of pnnx.Expression, such as "mul(sub(x, mean), 0.5)", parsed once. Its functions
/// are those of kernel/elementwise/functions.hpp, whose parameters follow the array, and casts such as torch.double(x).
/// Every other word is the name of an operand. Arrays broadcast, and the usual promotion of element types applies to
/// each function.
class Formula {
 public:
  // NOLINTBEGIN(google-explicit-constructor): calls give the formula as a text.
  /// Throws Error(kArgument) on a malformed text.
  Formula(const std::string& text);
  Formula(const char* text) : Formula(std::string(text)) {}
  // NOLINTEND(google-explicit-constructor)

  const std::string& text() const { return text_; }
  /// The operands' names, in the order in which they occur.
  const std::vector<std::string>& operands() const { return operands_; }
  /// The syntax tree in reverse Polish order; the index of an operand's node is its place in `operands`.
  const std::vector<std::shared_ptr<TokenNode>>& nodes() const { return nodes_; }
  /// Whether the formula is one function of one array, perhaps with numbers behind it: "leaky_relu(x, slope)".
  bool IsUnary() const;
  /// The formula without the multiplication by the operand `name`, which it has as mul(..., name).
  Formula WithoutFactor(const std::string& name) const;

 private:
  std::string text_;
  std::vector<std::string> operands_;
  std::vector<std::shared_ptr<TokenNode>> nodes_;
};

/// Plans a formula of an operation's own arguments by their names. Arguments that are not arrays are numbers that are
/// known when planning.
OperationPlan PlanFormula(const Arguments& arguments, const Formula& formula);
/// Plans a formula of the given operands: arrays or numbers.
OperationPlan PlanFormula(const Formula& formula, const CallArguments& operands);

/// Adds the formula to a composition, applied to the outer operation's arguments or to the given operands.
TensorArgument ApplyFormula(Composition& composition, const Formula& formula);
TensorArgument ApplyFormula(Composition& composition, const Formula& formula, const CallArguments& operands);

}  // namespace kuiper_infer
