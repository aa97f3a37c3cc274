// SPDX-License-Identifier: MIT
#include <algorithm>

#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

/// What a step keeps of a constant; a weight that it has in packed form is given up here.
NdArray KeptValues(const KernelCall& call, const TensorArgument& constant) {
  for (const PackedInput& packed : call.packed_inputs) {
    if (packed.input != constant.input) continue;
    if (packed.restore) constant.weight->ReplaceBy(packed.restore);
    return NdArray::View(nullptr, constant.spec, constant.weight);
  }
  return constant.values();
}

Step MakeStep(const PlanningGraph& graph, const Node& node, const PlanningContext& context) {
  Step step;
  step.op = node.op;
  step.dynamic = node.kind == Node::Kind::kDynamic;
  step.layout_copy = node.kind == Node::Kind::kLayoutCopy;
  step.call = node.computation != nullptr ? node.computation->MakeCall(FusionOf(graph, node), context) : node.call;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const NodeInput& input = node.inputs[i];
    if (input.array >= 0) {
      step.inputs.push_back({input.array, {}});
    } else {
      TensorArgument constant = input.constant;
      constant.input = static_cast<int>(i);
      step.inputs.push_back({-1, KeptValues(step.call, constant)});
    }
  }
  step.outputs = node.outputs;
  return step;
}

/// The steps from which on, and until which, the arrays are needed.
void SetLifetimes(const PlanningGraph& graph, Program& program) {
  const auto keep = [&](int array) { program.slots[program.RootOf(array)].last = Slot::kEnd; };
  std::vector<bool> written(program.slots.size(), false);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    const auto now = static_cast<int64_t>(i);
    for (const int array : step.outputs) {
      Slot& slot = program.slots[program.RootOf(array)];
      if (!written[program.RootOf(array)]) slot.first = now;
      written[program.RootOf(array)] = true;
      slot.last = std::max(slot.last, now);
    }
    for (const Source& source : step.inputs) {
      if (source.slot < 0) continue;
      Slot& slot = program.slots[program.RootOf(source.slot)];
      slot.last = std::max(slot.last, now);
    }
    if (!step.dynamic) continue;
    for (const auto& operand : graph.operators[step.op]->input_operands_seq) {
      ForEachArray(graph.symbols.at(operand.get()), keep);
    }
  }
  for (const RuntimeOperand* output : graph.output_operands) ForEachArray(graph.symbols.at(output), keep);
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    Slot& slot = program.slots[i];
    if (slot.memory == ArrayMemory::kArena && !written[i]) slot.memory = ArrayMemory::kNone;
  }
}

}  // namespace

Program EmitProgram(PlanningGraph graph, const PlanningContext& context) {
  Program program;
  for (const PlannedArray& array : graph.arrays) {
    program.slots.push_back({array.spec, array.memory, array.root, array.offset, 0, 0});
  }
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    if (!node.alive || node.kind == Node::Kind::kView) continue;
    program.steps.push_back(MakeStep(graph, node, context));
    program.multiply_adds += program.steps.back().call.multiply_adds;
  }
  SetLifetimes(graph, program);
  program.operators = std::move(graph.operators);
  program.symbols = std::move(graph.symbols);
  program.input_slots = std::move(graph.input_arrays);
  program.output_operands = std::move(graph.output_operands);
  program.warnings = std::move(graph.warnings);
  program.passes = std::move(graph.reports);
  return program;
}

}  // namespace kuiper_infer
