// SPDX-License-Identifier: MIT
#include "cli/report/graph_layout.hpp"

#include <algorithm>
#include <limits>

#include "cli/report/ranked_graph.hpp"

namespace kuiper_infer::cli {
namespace {

/// Returns the weight of an edge's deviation from vertical. Edges that pass ranks have the largest weight, so that long
/// edges are straight.
double Pull(const RankedGraph& graph, std::size_t a, std::size_t b) {
  const int bends = (graph.items[a].bend ? 1 : 0) + (graph.items[b].bend ? 1 : 0);
  constexpr double kPulls[] = {1, 2, 8};
  return kPulls[bends];
}

/// Some neighbouring items of a rank that stand as close as they may, at the weighted mean of the places they want.
struct Group {
  double sum;
  double weight;
  std::size_t items;

  double mean() const { return sum / weight; }
};

/// Moves the items of a rank as near to their neighbours (by least squares) as their order and the room between them
/// allow.
void PlaceRank(const RankedGraph& graph, const std::vector<std::size_t>& rank, bool above, bool below, double gap,
               std::vector<double>& x) {
  std::vector<double> offsets;  // of each item from the first one, if all stand as close as possible
  std::vector<Group> groups;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    const RankedGraph::Item& item = graph.items[rank[i]];
    offsets.push_back(i == 0 ? 0 : offsets.back() + (graph.items[rank[i - 1]].width + item.width) / 2 + gap);
    double sum = 0;
    double weight = 0;
    const auto add = [&](const std::vector<std::size_t>& neighbours) {
      for (const std::size_t neighbour : neighbours) {
        const double pull = Pull(graph, rank[i], neighbour);
        sum += pull * x[neighbour];
        weight += pull;
      }
    };
    if (above) add(item.above);
    if (below) add(item.below);
    if (weight == 0) {
      weight = 0.01;
      sum = weight * x[rank[i]];
    }
    groups.push_back({sum - weight * offsets[i], weight, 1});
    while (groups.size() > 1 && groups[groups.size() - 2].mean() >= groups.back().mean()) {
      const Group last = groups.back();
      groups.pop_back();
      groups.back() = {groups.back().sum + last.sum, groups.back().weight + last.weight,
                       groups.back().items + last.items};
    }
  }
  std::size_t i = 0;
  for (const Group& group : groups) {
    for (const std::size_t end = i + group.items; i < end; ++i) x[rank[i]] = group.mean() + offsets[i];
  }
}

/// The middle of each item, from 0 on.
std::vector<double> PlaceItems(const RankedGraph& graph, double gap) {
  std::vector<double> x(graph.items.size(), 0);
  constexpr int kSweeps = 12;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const bool last = sweep + 2 >= kSweeps;
    const bool down = sweep % 2 == 0;
    for (std::size_t i = 0; i < graph.ranks.size(); ++i) {
      PlaceRank(graph, graph.ranks[down ? i : graph.ranks.size() - 1 - i], down || last, !down || last, gap, x);
    }
  }
  double left = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) left = std::min(left, x[i] - graph.items[i].width / 2);
  for (double& place : x) place -= left;
  return x;
}

}  // namespace

GraphLayout LayOutGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges,
                        const LayoutSizes& sizes) {
  RankedGraph graph = RankGraph(widths, edges);
  OrderRanks(graph);
  const std::vector<double> x = PlaceItems(graph, sizes.between_nodes);
  GraphLayout layout;
  const auto top = [&](std::size_t item) {
    return static_cast<double>(graph.items[item].rank) * (sizes.node_height + sizes.between_ranks);
  };
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    if (!graph.items[i].bend) layout.nodes.push_back({x[i], top(i) + sizes.node_height / 2});
    layout.width = std::max(layout.width, x[i] + graph.items[i].width / 2);
    layout.height = std::max(layout.height, top(i) + sizes.node_height);
  }
  for (const auto& [from, to] : edges) {
    std::vector<Point> corners{{x[from], top(from) + sizes.node_height}};
    for (const std::size_t bend : graph.bends[from]) {
      if (graph.items[bend].rank >= graph.items[to].rank) break;
      corners.push_back({x[bend], top(bend)});
      corners.push_back({x[bend], top(bend) + sizes.node_height});
    }
    corners.push_back({x[to], top(to)});
    layout.edges.push_back(std::move(corners));
  }
  return layout;
}

}  // namespace kuiper_infer::cli
