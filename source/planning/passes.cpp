// SPDX-License-Identifier: MIT
#include "planning/passes.hpp"

#include "operators/movement/join.hpp"
#include "planning/infer.hpp"

namespace kuiper_infer {
namespace {

void AddReport(const char* pass, PlanningGraph& graph) {
  PassReport report;
  report.pass = pass;
  for (const Node& node : graph.nodes) {
    if (!node.runs()) continue;
    ++report.nodes;
    const bool joins = dynamic_cast<const Join*>(node.computation.get()) != nullptr;
    if (joins || node.kind == Node::Kind::kLayoutCopy) ++report.copies;
    for (const int array : node.outputs) {
      report.bytes += ByteCount(graph.arrays[array].spec.type, graph.arrays[array].spec.shape);
    }
  }
  graph.reports.push_back(std::move(report));
}

bool Runs(const Pass& pass, bool keep_all, const PlanningContext& context) {
  switch (pass.needs) {
    case Pass::Needs::kNothing:
      return true;
    case Pass::Needs::kUnkeptOperands:
      return !keep_all;
    case Pass::Needs::kFusion:
      return !keep_all && context.fuses;
    default:
      return !keep_all && context.places;
  }
}

void InferAll(PlanningGraph& graph, const std::vector<TensorSpec>& inputs, const PlanningContext& context) {
  Inference inference(graph, context);
  inference.Start(inputs);
  for (std::size_t op = 0; op < graph.operators.size(); ++op) inference.Infer(op);
}

void RunPasses(PlanningGraph& graph, bool keep_all, const PlanningContext& context) {
  AddReport("infer", graph);
  for (const Pass& pass : Passes()) {
    if (!Runs(pass, keep_all, context)) continue;
    pass.run(graph, context);
    AddReport(pass.name, graph);
  }
}

Program WithMemory(Program program, bool keep_all, const std::vector<ReplacedState>& replaced) {
  if (keep_all) {
    program.replaced.resize(replaced.size());
  } else {
    PlaceStates(program, replaced);
  }
  ShareMemory(program, keep_all);
  return program;
}

}  // namespace

PlanningGraph InferGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                         const PlanningContext& context) {
  PlanningGraph graph;
  graph.operators = keep_all ? order : WithoutDead(order);
  InferAll(graph, inputs, context);
  return graph;
}

PlanningGraph PlanGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                        const PlanningContext& context) {
  PlanningGraph graph = InferGraph(order, inputs, keep_all, context);
  RunPasses(graph, keep_all, context);
  return graph;
}

Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const PlanningContext& context, const std::vector<ReplacedState>& replaced) {
  return WithMemory(EmitProgram(PlanGraph(order, inputs, keep_all, context), context), keep_all, replaced);
}

Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const std::vector<GrowingInput>& growing, const std::vector<int64_t>& lengths,
                    const PlanningContext& context, const std::vector<ReplacedState>& replaced) {
  PlanningContext free = context;
  free.free_lengths = true;
  LengthTrial trial = TryLengths(order, inputs, growing, lengths, free);
  PlanningGraph graph;
  graph.operators = keep_all ? order : WithoutDead(order);
  for (const GrowingInput& input : growing) graph.growing.push_back({input});
  graph.varying = std::move(trial.varying);
  InferAll(graph, trial.inputs, free);
  RunPasses(graph, keep_all, free);
  return WithMemory(EmitProgram(std::move(graph), free), keep_all, replaced);
}

}  // namespace kuiper_infer
