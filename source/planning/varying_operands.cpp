// SPDX-License-Identifier: MIT
#include "planning/varying_operands.hpp"

#include <algorithm>
#include <optional>

#include "kernel/attention/int8_rows.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {

TensorSpec GrowingInput::KeptSpec(RuntimeDataType type, const Shape& shape) const {
  if (stored == RuntimeDataType::kTypeInt8) return kernel::Int8RowSpec(shape);
  return TensorSpec(stored.value_or(type), shape);
}

namespace {

std::vector<TensorSpec> AtLengths(std::vector<TensorSpec> inputs, const std::vector<GrowingInput>& growing,
                                  const std::vector<int64_t>& lengths, int64_t more) {
  for (std::size_t i = 0; i < growing.size(); ++i) {
    TensorSpec& spec = inputs[growing[i].input];
    spec.shape[static_cast<std::size_t>(growing[i].axis)] = lengths[i] + more;
    spec = TensorSpec(spec.type, spec.shape);
  }
  return inputs;
}

/// The spec of the array that a symbol stands for; nothing for numbers, which have rank 0, and for lists.
std::optional<TensorSpec> ArrayOf(const PlanningGraph& graph, const RuntimeOperand* operand) {
  const Symbol& symbol = graph.symbols.at(operand);
  std::optional<TensorSpec> spec;
  if (const int* array = symbol.slot()) spec = graph.arrays[*array].spec;
  if (const Value* value = symbol.known(); value != nullptr && value->Is<NdArray>()) {
    spec = value->Get<NdArray>().spec();
    if (spec->rank() == 0) return std::nullopt;
  }
  return spec;
}

VaryingOperand Compare(const std::optional<TensorSpec>& a, const std::optional<TensorSpec>& b) {
  VaryingOperand operand;
  const bool alike = a && b && a->type == b->type && a->rank() == b->rank();
  if (!alike) return operand;
  operand.kind = a->shape == b->shape ? VaryingOperand::Kind::kContents : VaryingOperand::Kind::kShape;
  operand.spec = TensorSpec(a->type, a->shape);
  return operand;
}

/// Compares the shapes at the lengths `lengths` + `more` with those at one element more.
LengthTrial Try(const Operators& order, const std::vector<TensorSpec>& inputs, const std::vector<GrowingInput>& growing,
                const std::vector<int64_t>& lengths, int64_t more, const PlanningContext& context) {
  LengthTrial trial;
  trial.inputs = AtLengths(inputs, growing, lengths, more);
  const PlanningGraph first = InferGraph(order, trial.inputs, false, context);
  const PlanningGraph second = InferGraph(order, AtLengths(inputs, growing, lengths, more + 1), false, context);
  const Operators model_inputs = InputOperators(first.operators);
  for (const GrowingInput& each : growing) {
    const RuntimeOperand* operand = model_inputs[each.input]->output_operands.get();
    trial.varying[operand] = Compare(ArrayOf(first, operand), ArrayOf(second, operand));
  }
  // An array of a shape that is the same for all lengths is like any other to the operators that read it.
  const auto varies = [&](const auto& operand) {
    const auto found = trial.varying.find(operand.get());
    return found != trial.varying.end() && found->second.kind != VaryingOperand::Kind::kContents;
  };
  for (const auto& op : first.operators) {
    const auto& operands = op->input_operands_seq;
    if (std::none_of(operands.begin(), operands.end(), varies)) continue;
    for (const auto& result : op->output_operands_seq) {
      trial.varying[result.get()] = Compare(ArrayOf(first, result.get()), ArrayOf(second, result.get()));
    }
  }
  return trial;
}

}  // namespace

LengthTrial TryLengths(const Operators& order, const std::vector<TensorSpec>& inputs,
                       const std::vector<GrowingInput>& growing, const std::vector<int64_t>& lengths,
                       const PlanningContext& context) {
  // An axis of extent 1 would be broadcast, and an empty one has no elements to tell shapes by, so short lengths are
  // tried last. A model may have a longest length, so that the next one does not suit it.
  std::vector<int64_t> usual;
  for (const int64_t length : lengths) usual.push_back(std::max<int64_t>(length, 2));
  try {
    return Try(order, inputs, growing, usual, 0, context);
  } catch (const Error&) {
    const int64_t least = lengths.empty() ? 0 : *std::min_element(lengths.begin(), lengths.end());
    return Try(order, inputs, growing, lengths, least > 0 ? -1 : 0, context);
  }
}

}  // namespace kuiper_infer
