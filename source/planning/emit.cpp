// SPDX-License-Identifier: MIT
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

/// Returns the constant that a step keeps; what the step has in packed form is released here.
NdArray KeptValues(const KernelCall& call, const TensorArgument& constant) {
  bool packed = false;
  for (const PackedInput& note : call.packed_inputs) {
    if (note.input != constant.input) continue;
    if (note.weight != nullptr && note.restore) note.weight->ReplaceBy(note.restore);
    if (note.weight != nullptr && !note.restore) note.weight->LeaveInFile();
    packed = true;
  }
  return packed ? NdArray::View(nullptr, constant.spec, constant.weight) : constant.values();
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

}  // namespace

Program EmitProgram(PlanningGraph graph, const PlanningContext& context) {
  Program program;
  const std::vector<Lifetime> lifetimes = LifetimesOf(graph);
  for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
    const PlannedArray& array = graph.arrays[i];
    const bool unwritten = array.memory == ArrayMemory::kArena && lifetimes[i].first < 0;
    program.slots.push_back({array.spec, unwritten ? ArrayMemory::kNone : array.memory, array.root, array.offset,
                             lifetimes[i].first, lifetimes[i].last});
  }
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    if (!node.runs()) continue;
    program.steps.push_back(MakeStep(graph, node, context));
    program.multiply_adds += program.steps.back().call.multiply_adds;
  }
  program.operators = std::move(graph.operators);
  program.symbols = std::move(graph.symbols);
  program.input_slots = std::move(graph.input_arrays);
  program.varying = std::move(graph.varying);
  program.growing = std::move(graph.growing);
  program.output_operands = std::move(graph.output_operands);
  program.warnings = std::move(graph.warnings);
  program.passes = std::move(graph.reports);
  return program;
}

}  // namespace kuiper_infer
