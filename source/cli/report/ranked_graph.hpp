// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "cli/report/graph_layout.hpp"

namespace kuiper_infer::cli {

/// A graph whose edges lead from one rank to the next: an edge that passes ranks has a *bend* in each of them. Edges of
/// one node share their bends as far as they go.
struct RankedGraph {
  struct Item {
    std::size_t rank = 0;
    double width = 0;
    bool bend = false;
    std::vector<std::size_t> above;  ///< items of the rank before that lead here
    std::vector<std::size_t> below;
  };
  std::vector<Item> items;                      ///< the nodes, then the bends
  std::vector<std::vector<std::size_t>> ranks;  ///< items from left to right
  std::vector<std::vector<std::size_t>> bends;  ///< of each node, by rank from the one below it
};

/// Ranks the nodes, and bends the edges.
RankedGraph RankGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges);

/// Puts the items of each rank into an order in which few edges cross.
void OrderRanks(RankedGraph& graph);

}  // namespace kuiper_infer::cli
