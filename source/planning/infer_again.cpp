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

bool IsWritten(const Node& node, int array) {
  return std::find(node.outputs.begin(), node.outputs.end(), array) != node.outputs.end();
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
  if (!same) return false;
  changed.resize(graph_.arrays.size(), false);
  bool fused = false;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    PlannedArray& array = graph_.arrays[before.made[i]];
    const bool passed_on = arrays[i].memory == ArrayMemory::kNone;
    const bool placed = arrays[i].memory == ArrayMemory::kView && IsWritten(before, before.made[i]);
    fused = fused || passed_on;
    if (passed_on || placed) {
      if (CommonOrder({array.spec}) != CommonOrder({arrays[i].spec})) return false;
      array = arrays[i];
    }
    changed[before.made[i]] = changed[before.made[i]] || array.spec.strides != arrays[i].spec.strides;
  }
  if (before.fusion.addend >= 0) {
    if (again.node.inputs.size() != static_cast<std::size_t>(before.fusion.addend)) return false;
    again.node.inputs.push_back(before.inputs.back());
  }
  if (fused) again.node.outputs = before.outputs;
  again.node.fusion = before.fusion;
  again.node.position = before.position;
  graph_.nodes[number] = std::move(again.node);
  return CanStillFuse(graph_.nodes[number]);
}

bool Inference::CanStillFuse(const Node& node) const {
  const bool fuses = node.fusion.addend >= 0 || node.fusion.activation.function != nullptr;
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
