// SPDX-License-Identifier: MIT
#include "planning/planning_graph.hpp"

#include <algorithm>
#include <numeric>

namespace kuiper_infer {

void PlanningGraph::SetView(int array, TensorSpec spec, int base, int64_t offset) {
  const auto bytes = static_cast<int64_t>(ElementBytes(spec.type));
  const int64_t start = arrays[base].memory == ArrayMemory::kView ? arrays[base].offset : 0;
  arrays[array] = {std::move(spec), ArrayMemory::kView, RootOf(base), start + offset * bytes, false};
}

Storage PlanningGraph::StorageOf(int array) const {
  const PlannedArray& root = arrays[RootOf(array)];
  return {root.grid, root.spec.type};
}

std::vector<std::size_t> InRunningOrder(const PlanningGraph& graph) {
  std::vector<std::size_t> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Node& first = graph.nodes[a];
    const Node& second = graph.nodes[b];
    const bool copies_first = first.kind == Node::Kind::kLayoutCopy && second.kind != Node::Kind::kLayoutCopy;
    return first.position != second.position ? first.position < second.position : copies_first;
  });
  return order;
}

std::vector<Lifetime> LifetimesOf(const PlanningGraph& graph) {
  std::vector<Lifetime> lifetimes(graph.arrays.size());
  const auto need_until = [&](int array, int64_t last) {
    Lifetime& lifetime = lifetimes[graph.RootOf(array)];
    lifetime.last = std::max(lifetime.last, last);
  };
  const auto keep = [&](int array) { need_until(array, Slot::kEnd); };
  int64_t now = 0;
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    if (!node.runs()) continue;
    for (const int array : node.outputs) {
      Lifetime& lifetime = lifetimes[graph.RootOf(array)];
      if (lifetime.first < 0) lifetime.first = now;
      need_until(array, now);
    }
    for (const NodeInput& input : node.inputs) {
      if (input.array >= 0) need_until(input.array, now);
    }
    ++now;
    if (node.kind != Node::Kind::kDynamic) continue;
    for (const auto& operand : graph.operators[node.op]->input_operands_seq) {
      ForEachArray(graph.symbols.at(operand.get()), keep);
    }
  }
  for (const RuntimeOperand* output : graph.output_operands) ForEachArray(graph.symbols.at(output), keep);
  return lifetimes;
}

Fusion FusionOf(const PlanningGraph& graph, const Node& node) {
  const auto spec = [&](int input) {
    return input >= 0 ? graph.arrays[node.inputs[static_cast<std::size_t>(input)].array].spec : TensorSpec();
  };
  Fusion fusion = node.fusion;
  fusion.residual_spec = spec(fusion.residual);
  fusion.factor_spec = spec(fusion.factor);
  fusion.inputs.clear();
  for (const NodeInput& input : node.inputs) {
    fusion.inputs.push_back(input.array >= 0 ? graph.StorageOf(input.array) : Storage());
  }
  if (node.outputs.size() == 1) fusion.result.type = graph.StorageOf(node.outputs.front()).type;
  return fusion;
}

ArrayUses::ArrayUses(const PlanningGraph& graph) : reads_(graph.arrays.size(), 0), writers_(graph.arrays.size(), -1) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.runs()) continue;
    for (const NodeInput& input : node.inputs) {
      if (input.array >= 0) ++reads_[graph.RootOf(input.array)];
    }
    for (const int array : node.outputs) writers_[array] = static_cast<int>(i);
    if (node.kind != Node::Kind::kDynamic) continue;
    for (const auto& operand : graph.operators[node.op]->input_operands_seq) {
      ForEachArray(graph.symbols.at(operand.get()), [&](int array) { ++reads_[graph.RootOf(array)]; });
    }
  }
  for (const RuntimeOperand* output : graph.output_operands) {
    ForEachArray(graph.symbols.at(output), [&](int array) { ++reads_[graph.RootOf(array)]; });
  }
  for (const GrowingSlots& growing : graph.growing) ++reads_[growing.added];  // by the next run
}

Node* ArrayUses::OnlyRead(PlanningGraph& graph, const NodeInput& input) const {
  if (input.array < 0 || graph.arrays[input.array].memory != ArrayMemory::kArena || reads_[input.array] != 1) {
    return nullptr;
  }
  const int writer = writers_[input.array];
  Node* node = writer >= 0 ? &graph.nodes[writer] : nullptr;
  return node != nullptr && node->computation != nullptr && node->outputs.size() == 1 ? node : nullptr;
}

}  // namespace kuiper_infer
