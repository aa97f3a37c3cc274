// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "cli/report/graph_layout.hpp"

namespace kuiper_infer::cli {

/// A graph whose edges lead from one rank to the next: an edge that passes ranks has a *bend* in each of them. Edges
/// that leave the same node share bends.
struct RankedGraph {
  struct Item {
    std::size_t rank = 0;
    double width = 0;
    bool bend = false;
    std::vector<std::size_t> above;  ///< items of the previous rank from which edges lead here
    std::vector<std::size_t> below;
  };
  std::vector<Item> items;                      ///< the nodes, then the bends
  std::vector<std::vector<std::size_t>> ranks;  ///< items from left to right
  std::vector<std::vector<std::size_t>> bends;  ///< bends of each node, by rank, from the rank below the node on
};

/// Ranks the nodes, and bends the edges.
RankedGraph RankGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges);

/// Orders the items of each rank such that few edges cross.
void OrderRanks(RankedGraph& graph);

}  // namespace kuiper_infer::cli
