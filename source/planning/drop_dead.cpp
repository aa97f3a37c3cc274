// SPDX-License-Identifier: MIT
#include <algorithm>

#include "planning/passes.hpp"

namespace kuiper_infer {

void DropDead(PlanningGraph& graph, const PlanningContext& /*context*/) {
  ArrayUses uses(graph);
  std::vector<int> unread;
  const auto is_dead = [&](const Node& node) {
    return node.alive && node.kind != Node::Kind::kView && node.kind != Node::Kind::kDynamic &&
           std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](int array) { return uses.reads(graph.RootOf(array)) == 0; });
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_dead(graph.nodes[i])) unread.push_back(static_cast<int>(i));
  }
  while (!unread.empty()) {
    Node& node = graph.nodes[unread.back()];
    unread.pop_back();
    if (!is_dead(node)) continue;
    node.alive = false;
    for (const int array : node.outputs) graph.arrays[array].memory = ArrayMemory::kNone;
    for (const NodeInput& input : node.inputs) {
      if (input.array < 0) continue;
      const int root = graph.RootOf(input.array);
      uses.DropRead(root);
      if (uses.writer(root) >= 0) unread.push_back(uses.writer(root));
    }
  }
}

}  // namespace kuiper_infer
