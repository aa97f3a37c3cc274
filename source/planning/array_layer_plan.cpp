// SPDX-License-Identifier: MIT
#include "planning/array_layer_plan.hpp"

#include "data/bool_bytes.hpp"
#include "operation/operator_errors.hpp"

namespace kuiper_infer {
namespace {

using Specs = std::vector<TensorSpec>;

[[noreturn]] void FailNoArray(const RuntimeOperator& op, std::size_t input) {
  throw NamedError(ErrorCode::kArgument, "operator '" + op.name + "' (" + op.type + "): input " +
                                             std::to_string(input) + " is no array, which is all that its layer takes");
}

Specs InferOutputs(const RuntimeOperator& op, const ArrayLayer& layer, const Specs& inputs) {
  const Specs outputs = CallingUserCode(op.name, op.type, "its layer", ErrorCode::kArgument, [&] {
    Specs inferred = layer.InferOutputs(inputs);
    for (TensorSpec& spec : inferred) spec = TensorSpec(spec.type, spec.shape);  // throws for impossible extents
    return inferred;
  });
  const auto wrong = [&](const std::string& text) {
    throw NamedError(ErrorCode::kArgument, "operator '" + op.name + "' (" + op.type + "): its layer announces " + text);
  };
  if (outputs.size() != op.output_operands_seq.size()) {
    wrong(std::to_string(outputs.size()) + " outputs, the file lists " + std::to_string(op.output_operands_seq.size()));
  }
  for (const TensorSpec& spec : outputs) {
    if (ElementBytes(spec.type) == 0) wrong("an output without element type");
  }
  return outputs;
}

void Compute(const RuntimeOperator& op, const ArrayLayer& layer, const std::vector<NdArray>& inputs,
             const std::vector<NdArray>& outputs) {
  CallingUserCode(op.name, op.type, "its layer", ErrorCode::kArgument, [&] { layer.Compute(inputs, outputs); });
  for (const NdArray& output : outputs) MakeBoolBytes(output);
}

}  // namespace

OperationPlan PlanArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer,
                             const std::vector<Argument>& inputs) {
  Specs given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].tensor() == nullptr) FailNoArray(op, i);
    given.push_back(inputs[i].tensor()->spec);
  }
  const Specs made = InferOutputs(op, *layer, given);
  OperationPlan plan;
  for (const TensorSpec& spec : made) plan.outputs.push_back(OutputPlan::New(spec));
  // The operator outlives its plans, which hold the list of operators.
  plan.run = [&op, layer, given, made](const RunContext& context) {
    std::vector<NdArray> arrays;
    for (std::size_t i = 0; i < given.size(); ++i) {
      arrays.push_back(NdArray::View(const_cast<void*>(context.inputs[i].data), given[i]));
    }
    std::vector<NdArray> outputs;
    for (std::size_t i = 0; i < made.size(); ++i) outputs.push_back(NdArray::View(context.outputs[i].data, made[i]));
    Compute(op, *layer, arrays, outputs);
  };
  return plan;
}

std::vector<Value> RunArrayLayer(const RuntimeOperator& op, const ArrayLayer& layer, const std::vector<Value>& inputs) {
  std::vector<NdArray> arrays;
  Specs given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].Is<NdArray>()) FailNoArray(op, i);
    arrays.push_back(inputs[i].Get<NdArray>().Contiguous());
    given.push_back(arrays.back().spec());
  }
  std::vector<NdArray> outputs;
  for (const TensorSpec& spec : InferOutputs(op, layer, given)) outputs.emplace_back(spec);
  Compute(op, layer, arrays, outputs);
  return {outputs.begin(), outputs.end()};
}

}  // namespace kuiper_infer
