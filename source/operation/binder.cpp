// SPDX-License-Identifier: MIT
#include "operation/binder.hpp"

#include <algorithm>

#include "kuiper_infer/parser/parse_expression.hpp"

namespace kuiper_infer {

namespace {

/// Whether a row has an argument for each name that the call gives.
bool HasAllNames(const Operation& row, const OperatorCall& call) {
  const auto has = [&](const std::string& name) { return name.empty() || row.schema->Find(name) >= 0; };
  const auto has_key = [&](const auto& entry) { return has(entry.first); };
  return std::all_of(call.params.begin(), call.params.end(), has_key) &&
         std::all_of(call.attributes.begin(), call.attributes.end(), has_key) &&
         std::all_of(call.input_names.begin(), call.input_names.end(), has);
}

/// The overloads in the order in which they are tried: overloads that have all names come first. The others follow,
/// because the converter also writes names that no overload has.
std::vector<const Operation*> InTryingOrder(const std::vector<Operation>& rows, const OperatorCall& call) {
  std::vector<const Operation*> order;
  for (const Operation& row : rows) order.push_back(&row);
  std::stable_partition(order.begin(), order.end(), [&](const Operation* row) { return HasAllNames(*row, call); });
  return order;
}

}  // namespace

Binding Bind(const OperatorCall& call, const std::vector<Argument>& inputs, int input_arrays,
             const PlanningContext& context) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(call.type);
  if (rows.size() <= 1) return BindRow(call, OperationTable::Instance().Get(call.type), inputs, input_arrays, context);
  std::string reasons;
  for (const Operation* row : InTryingOrder(rows, call)) {
    try {
      return BindRow(call, *row, inputs, input_arrays, context);
    } catch (const BindError& error) {
      reasons += std::string(reasons.empty() ? "" : "; or ") + error.what();
    }
  }
  throw BindError(reasons, "", false);
}

namespace {

/// Throws if an output, copied into row-major order, would have more bytes than int64 counts. This is possible for
/// views with strides of 0.
void CheckSizes(const OutputPlan& output) {
  if (output.kind == OutputPlan::Kind::kNew || output.kind == OutputPlan::Kind::kView) {
    ByteCount(output.spec.type, output.spec.shape);
  }
  if (output.known.Is<NdArray>()) ByteCount(output.known.Get<NdArray>().type(), output.known.Get<NdArray>().shape());
  for (const OutputPlan& item : output.items) CheckSizes(item);
}

}  // namespace

OperationPlan MakePlan(const Binding& binding) {
  OperationPlan plan = binding.operation->plan(binding.arguments);
  for (const OutputPlan& output : plan.outputs) CheckSizes(output);
  return plan;
}

namespace {

void CheckExpression(const OperatorCall& call) {
  const Value& text = call.params.at("expr");
  try {
    ExpressionParser(text.Get<std::string>()).Generate();
  } catch (const Error& error) {
    throw BindError(error.what(), "expr", false);
  }
}

}  // namespace

void CheckCall(const OperatorCall& call) {
  // An array of unknown type that is no constant fits every argument.
  const auto check = [&call](int inputs) {
    const PlanningContext nothing_is_planned;
    Bind(call, std::vector<Argument>(static_cast<std::size_t>(inputs), Argument{TensorArgument{}}), inputs,
         nothing_is_planned);
  };
  if (call.type == "pnnx.Expression") {
    check(call.input_count);
    CheckExpression(call);
    return;
  }
  if (call.input_count > 0) {
    check(call.input_count);
    return;
  }
  // A program made the operator: the number of its inputs is not known before Forward.
  try {
    check(0);
  } catch (const BindError&) {
    check(1);
  }
}

}  // namespace kuiper_infer
