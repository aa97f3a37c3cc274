// SPDX-License-Identifier: MIT
#include "runtime/preserved_operands.hpp"

#include <algorithm>

#include "operation/binder.hpp"
#include "runtime/graph_builder.hpp"

namespace kuiper_infer {
namespace {

bool MayPreserve(const std::string& type) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(type);
  return std::any_of(rows.begin(), rows.end(),
                     [](const Operation& row) { return row.values.kind == OutputValues::Kind::kPreserved; });
}

/// Whether a source is an argument that is a list of arrays.
bool TakesList(const Operation& row) {
  return std::any_of(row.values.sources.begin(), row.values.sources.end(), [&](const std::string& name) {
    return row.schema->arguments().at(static_cast<std::size_t>(row.schema->Find(name))).list;
  });
}

/// The inputs that an operator preserves by its row of the table.
struct Preserved {
  std::vector<int> inputs;
  bool list = false;  ///< the only input may be a list of arrays
};

/// Several overloads may fit, since nothing is known of the inputs: aten::max(x, y) may have an axis y. All have to
/// preserve the same inputs.
Preserved FindPreserved(const pnnx::Operator& op) {
  std::vector<Argument> inputs(op.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    TensorArgument tensor;  // of unknown type: it fits every argument
    tensor.input = static_cast<int>(i);
    inputs[i] = Argument{tensor};
  }
  const OperatorCall call = CallOf(op);  // without attributes, which value-preserving operations do not have
  const PlanningContext nothing_is_planned;
  Preserved preserved;
  for (const Operation& row : OperationTable::Instance().Find(op.type)) {
    std::vector<int> found;
    try {
      const Binding binding = BindRow(call, row, inputs, call.input_count, nothing_is_planned);
      found = PreservedInputs(row.values, binding.arguments);
    } catch (const BindError&) {
      continue;
    }
    if (found.empty() || (!preserved.inputs.empty() && found != preserved.inputs)) return {};
    preserved = {std::move(found), call.input_count == 1 && TakesList(row)};
  }
  return preserved;
}

}  // namespace

std::vector<pnnx::Operand*> PreservedOperands(const pnnx::Operator& op) {
  if (!MayPreserve(op.type)) return {};
  const Preserved preserved = FindPreserved(op);
  std::vector<pnnx::Operand*> operands;
  for (const int input : preserved.inputs) {
    if (static_cast<std::size_t>(input) >= op.inputs.size()) return {};  // a constant among the parameters
    operands.push_back(op.inputs[static_cast<std::size_t>(input)]);
  }
  const bool made_of_arrays = !preserved.list || (operands.front()->producer != nullptr &&
                                                  !PreservedOperands(*operands.front()->producer).empty());
  return made_of_arrays ? operands : std::vector<pnnx::Operand*>();
}

}  // namespace kuiper_infer
