// SPDX-License-Identifier: MIT
#include <algorithm>

#include "planning/infer.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

bool SameArrays(const Symbol& a, const Symbol& b) {
  std::vector<int> first;
  std::vector<int> second;
  ForEachArray(a, [&](int array) { first.push_back(array); });
  ForEachArray(b, [&](int array) { second.push_back(array); });
  return first == second && (a.known() != nullptr) == (b.known() != nullptr);
}

bool Contains(const std::vector<int>& arrays, int array) {
  return std::find(arrays.begin(), arrays.end(), array) != arrays.end();
}

/// Restores what passes had decided about the arrays of a node that was bound anew: which arrays are never written, and
/// which have a place in a join. `former` are the node's former arrays. Arrays whose strides have changed are marked in
/// `changed`. Returns false if one of these decided arrays would have another layout.
bool RestoreArrays(PlanningGraph& graph, const Node& node, const std::vector<PlannedArray>& former,
                   std::vector<bool>& changed) {
  changed.resize(graph.arrays.size(), false);
  for (std::size_t i = 0; i < former.size(); ++i) {
    const int number = node.made[i];
    PlannedArray& array = graph.arrays[number];
    const bool unwritten = former[i].memory == ArrayMemory::kNone;
    const bool placed = former[i].memory == ArrayMemory::kView && Contains(node.outputs, number);
    if (unwritten || placed) {
      if (CommonOrder({array.spec}) != CommonOrder({former[i].spec})) return false;
      array = former[i];
    }
    changed[number] = changed[number] || array.spec.strides != former[i].spec.strides;
  }
  return true;
}

/// Restores the fusion of a node that was bound anew. Returns false if the node's inputs have changed.
bool RestoreFusion(Node& node, const Node& before, bool passes_results_on) {
  if (before.fusion.residual >= 0) {
    if (node.inputs.size() != static_cast<std::size_t>(before.fusion.residual)) return false;
    node.inputs.push_back(before.inputs.back());
  }
  if (passes_results_on) node.outputs = before.outputs;
  node.fusion = before.fusion;
  node.position = before.position;
  return true;
}

}  // namespace

Node* Inference::FindNode(std::size_t op) {
  const auto found = node_of_.find(op);
  return found != node_of_.end() ? &graph_.nodes[found->second] : nullptr;
}

bool Inference::InferAgain(std::size_t index, std::vector<bool>& changed) {
  const RuntimeOperator& op = *graph_.operators[index];
  const Node* known = FindNode(index);
  if (known == nullptr) return StaysFused(op);
  if (known->kind == Node::Kind::kDynamic) return true;  // it reads any layout
  const auto number = static_cast<std::size_t>(known - graph_.nodes.data());
  const Node before = *known;
  std::vector<PlannedArray> arrays;
  for (const int array : before.made) arrays.push_back(graph_.arrays[array]);

  former_ = &before.made;
  Inferred again = MakeNode(index);
  former_ = nullptr;
  bool same = again.node.made == before.made && again.node.kind != Node::Kind::kDynamic;
  for (std::size_t i = 0; same && i < again.results.size(); ++i) {
    same = SameArrays(again.results[i], graph_.symbols.at(op.output_operands_seq[i].get()));
  }
  const bool passes_results_on = std::any_of(
      arrays.begin(), arrays.end(), [](const PlannedArray& array) { return array.memory == ArrayMemory::kNone; });
  if (!same || !RestoreArrays(graph_, before, arrays, changed)) return false;
  if (!RestoreFusion(again.node, before, passes_results_on)) return false;
  graph_.nodes[number] = std::move(again.node);
  return CanStillFuse(graph_.nodes[number]);
}

bool Inference::CanStillFuse(const Node& node) const {
  const Fusion& fusion = node.fusion;
  const bool fuses = fusion.residual >= 0 || fusion.activation.function != nullptr || fusion.result.grid.has_value();
  return !fuses || (node.computation != nullptr && node.computation->CanFuse(FusionOf(graph_, node)));
}

bool Inference::StaysFused(const RuntimeOperator& op) const {
  for (const auto& operand : op.output_operands_seq) {
    const int* array = graph_.symbols.at(operand.get()).slot();
    if (array == nullptr) continue;
    const auto writer = writer_of_.find(*array);
    if (writer != writer_of_.end() && !CanStillFuse(graph_.nodes[writer->second])) return false;
  }
  return true;
}

}  // namespace kuiper_infer
