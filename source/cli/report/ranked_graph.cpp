// SPDX-License-Identifier: MIT
#include "cli/report/ranked_graph.hpp"

#include <algorithm>
#include <limits>

namespace kuiper_infer::cli {
namespace {

constexpr double kBendWidth = 6;
constexpr std::size_t kMostBends = 50000;

/// Ranks each node below all its sources. A node without sources is ranked just above the highest of its targets.
std::vector<std::size_t> RanksOf(std::size_t nodes, std::vector<LayoutEdge> edges) {
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::size_t> ranks(nodes, 0);
  for (const auto& [from, to] : edges) ranks[to] = std::max(ranks[to], ranks[from] + 1);
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first_reader(nodes, kNone);
  std::vector<bool> reached(nodes, false);
  for (const auto& [from, to] : edges) {
    first_reader[from] = std::min(first_reader[from], ranks[to]);
    reached[to] = true;
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    if (!reached[node] && first_reader[node] != kNone) ranks[node] = first_reader[node] - 1;
  }
  return ranks;
}

/// The number of bends that RankGraph would make.
std::size_t CountBends(const RankedGraph& graph, const std::vector<LayoutEdge>& edges) {
  std::vector<std::size_t> longest(graph.items.size(), 1);
  for (const auto& [from, to] : edges) {
    longest[from] = std::max(longest[from], graph.items[to].rank - graph.items[from].rank);
  }
  std::size_t count = 0;
  for (const std::size_t length : longest) count += length - 1;
  return count;
}

void Link(RankedGraph& graph, std::size_t above, std::size_t below) {
  graph.items[above].below.push_back(below);
  graph.items[below].above.push_back(above);
}

/// The item of an edge in the rank above that of its end.
std::size_t LastItem(RankedGraph& graph, std::size_t from, std::size_t end_rank) {
  std::vector<std::size_t>& bends = graph.bends[from];
  const std::size_t needed = end_rank - graph.items[from].rank - 1;
  while (bends.size() < needed) {
    const std::size_t bend = graph.items.size();
    graph.items.push_back({graph.items[from].rank + bends.size() + 1, kBendWidth, true, {}, {}});
    Link(graph, bends.empty() ? from : bends.back(), bend);
    bends.push_back(bend);
  }
  return needed == 0 ? from : bends[needed - 1];
}

/// Returns the number of pairs of edges between a rank and the rank above that cross.
std::size_t CountCrossings(const RankedGraph& graph, const std::vector<std::size_t>& rank,
                           const std::vector<std::size_t>& places) {
  std::vector<std::size_t> seen;  // places above of the edges of items further left, sorted
  std::size_t crossings = 0;
  for (const std::size_t item : rank) {
    for (const std::size_t above : graph.items[item].above) {
      crossings += static_cast<std::size_t>(seen.end() - std::upper_bound(seen.begin(), seen.end(), places[above]));
    }
    for (const std::size_t above : graph.items[item].above) {
      seen.insert(std::upper_bound(seen.begin(), seen.end(), places[above]), places[above]);
    }
  }
  return crossings;
}

/// Sorts a rank by the mean place of each item's neighbours; items without neighbours stay in place.
void SortByNeighbours(RankedGraph& graph, std::vector<std::size_t>& rank, bool above,
                      std::vector<std::size_t>& places) {
  std::vector<double> means(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) {
    const RankedGraph::Item& item = graph.items[rank[i]];
    const std::vector<std::size_t>& neighbours = above ? item.above : item.below;
    double sum = 0;
    for (const std::size_t neighbour : neighbours) sum += static_cast<double>(places[neighbour]);
    means[i] = neighbours.empty() ? static_cast<double>(i) : sum / static_cast<double>(neighbours.size());
  }
  std::vector<std::size_t> order(rank.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return means[a] < means[b]; });
  std::vector<std::size_t> sorted;
  for (const std::size_t i : order) sorted.push_back(rank[i]);
  rank = std::move(sorted);
  for (std::size_t i = 0; i < rank.size(); ++i) places[rank[i]] = i;
}

}  // namespace

RankedGraph RankGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges) {
  RankedGraph graph;
  const std::vector<std::size_t> ranks = RanksOf(widths.size(), edges);
  for (std::size_t i = 0; i < widths.size(); ++i) graph.items.push_back({ranks[i], widths[i], false, {}, {}});
  graph.bends.resize(widths.size());
  if (CountBends(graph, edges) <= kMostBends) {
    for (const auto& [from, to] : edges) Link(graph, LastItem(graph, from, ranks[to]), to);
  }
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    graph.ranks.resize(std::max(graph.ranks.size(), graph.items[i].rank + 1));
    graph.ranks[graph.items[i].rank].push_back(i);
  }
  return graph;
}

void OrderRanks(RankedGraph& graph) {
  constexpr int kSweeps = 8;
  std::vector<std::size_t> places(graph.items.size());
  for (const auto& rank : graph.ranks) {
    for (std::size_t i = 0; i < rank.size(); ++i) places[rank[i]] = i;
  }
  std::vector<std::vector<std::size_t>> best = graph.ranks;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (int sweep = 0; sweep <= kSweeps && fewest > 0; ++sweep) {
    std::size_t crossings = 0;
    for (const auto& rank : graph.ranks) crossings += CountCrossings(graph, rank, places);
    if (crossings < fewest) {
      fewest = crossings;
      best = graph.ranks;
    }
    const bool down = sweep % 2 == 0;
    for (std::size_t i = 0; i < graph.ranks.size(); ++i) {
      SortByNeighbours(graph, graph.ranks[down ? i : graph.ranks.size() - 1 - i], down, places);
    }
  }
  graph.ranks = std::move(best);
}

}  // namespace kuiper_infer::cli
