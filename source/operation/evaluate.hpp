// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/binder.hpp"

namespace kuiper_infer {

/// Numbers the arrays among an operator's inputs and turns values into arguments.
class ArgumentBuilder {
 public:
  /// Makes a builder for an operation that accepts this layout. If it is kRowMajor, arrays are made contiguous.
  explicit ArgumentBuilder(InputLayout layout) : layout_(layout) {}

  Argument FromValue(const Value& value);
  /// The arrays seen so far, in the order of TensorArgument::input.
  const std::vector<NdArray>& arrays() const { return arrays_; }

 private:
  InputLayout layout_;
  std::vector<NdArray> arrays_;
};

/// The layout that the operations of a type expect; kRowMajor for unknown types.
InputLayout LayoutOf(const std::string& type);

/// Whether an operation of this type draws random numbers.
bool IsRandom(const std::string& type);

/// Plans and computes one operator at once from known inputs. Used if shapes depend on data, for constants, and for
/// layers that a program calls directly (in a DefaultPlanningContext). Returns the plan's outputs; throws an Error that
/// names the operator.
std::vector<Value> Evaluate(const OperatorCall& call, const std::vector<Value>& inputs, const PlanningContext& context);

}  // namespace kuiper_infer
