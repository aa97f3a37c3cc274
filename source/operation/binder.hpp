// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "operation/operation.hpp"
#include "operation/planning_context.hpp"

namespace kuiper_infer {

struct RuntimeOperator;

/// What a file (or a program) says of one operator, free of graph types.
struct OperatorCall {
  std::string name;  ///< for messages; empty for a part of a composition
  std::string type;
  std::map<std::string, Value> params;
  std::map<std::string, std::shared_ptr<Weight>> attributes;
  std::vector<std::string> untyped_attributes;  ///< attributes of unknown element type: an error if one is an argument
  std::vector<std::string> input_names;         ///< PyTorch's argument name per input; empty or missing if unknown
  int input_count = 0;
  int output_count = 1;
  RecordedOutput recorded;
};

/// Makes the complete call of an operator: its parameters, its attributes, and the names and number of its inputs and
/// outputs. Attributes of 16-bit floating types become float32. The arrays share the operator's memory.
OperatorCall MakeOperatorCall(const RuntimeOperator& op);

/// An argument that is missing or does not fit; `argument` is its name.
class BindError : public Error {
 public:
  BindError(const std::string& text, std::string argument_name, bool is_attribute)
      : Error(ErrorCode::kArgument, text), argument(std::move(argument_name)), attribute(is_attribute) {}
  std::string argument;
  bool attribute;
};

/// A call matched with an operation. The planning context in which it was bound must outlive the binding.
struct Binding {
  const Operation* operation = nullptr;
  Arguments arguments;
  /// Arrays that the run reads besides the inputs. Their TensorArgument::input continues after that of the last input.
  std::vector<TensorArgument> constants;
  /// Whether another operator computes an argument that the plan must know (a size, an axis).
  bool needs_values = false;
};

/// Binds the call to one row of the table. Throws BindError for arguments that don't fit the row's schema.
Binding BindRow(const OperatorCall& call, const Operation& row, const std::vector<Argument>& inputs, int input_arrays,
                const PlanningContext& context);

/// Binds the call to the first row of the table whose schema fits. `inputs` are the operator's inputs in order; their
/// arrays are numbered (TensorArgument::input) below `input_arrays`. Throws Error(kUnsupported) for an unknown type and
/// BindError for arguments that fit no row.
Binding Bind(const OperatorCall& call, const std::vector<Argument>& inputs, int input_arrays,
             const PlanningContext& context);

/// The operation's plan for these arguments.
OperationPlan MakePlan(const Binding& binding);

/// Binds a call with inputs of unknown kind, to report faulty parameters and attributes before any shape is known.
void CheckCall(const OperatorCall& call);

}  // namespace kuiper_infer
