// SPDX-License-Identifier: MIT
#include <algorithm>

#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

using Grid = std::optional<kernel::QuantizationGrid>;

/// The grid on which all input arrays that a node preserves lie; none if one of them is a constant.
Grid CommonGrid(const PlanningGraph& graph, const Node& node) {
  Grid common;
  for (const int input : node.preserved) {
    const int array = node.inputs[static_cast<std::size_t>(input)].array;
    const Grid grid = array >= 0 ? graph.StorageOf(array).grid : Grid();
    if (!grid || (common && !(*grid == *common))) return {};
    common = grid;
  }
  return common;
}

/// The grid of a node's outputs.
Grid WrittenGrid(const PlanningGraph& graph, const Node& node) {
  if (node.fusion.result.grid) return node.fusion.result.grid;
  const bool alone = node.fusion.activation.function == nullptr && node.fusion.residual < 0;
  return alone ? CommonGrid(graph, node) : Grid();
}

}  // namespace

void FindGrids(PlanningGraph& graph, const PlanningContext& /*context*/) {
  std::vector<bool> written(graph.arrays.size(), false);
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    if (!node.runs()) continue;
    const Grid grid = WrittenGrid(graph, node);
    for (const int array : node.outputs) {
      const int root = graph.RootOf(array);
      PlannedArray& whole = graph.arrays[root];
      // Several nodes may write parts of an array: all have to agree.
      const bool agrees = !written[root] || (grid && whole.grid && *grid == *whole.grid);
      whole.grid = agrees ? grid : Grid();
      written[root] = true;
    }
  }
}

}  // namespace kuiper_infer
