// SPDX-License-Identifier: MIT
#include "cli/report/graph_layout.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace kuiper_infer::cli {
namespace {

/// Expects boxes that don't overlap and edges that lead down from box to box.
void ExpectSound(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges) {
  const LayoutSizes sizes;
  const GraphLayout layout = LayOutGraph(widths, edges, sizes);
  ASSERT_EQ(layout.nodes.size(), widths.size());
  ASSERT_EQ(layout.edges.size(), edges.size());
  std::vector<std::size_t> order(widths.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(layout.nodes[a].y, layout.nodes[a].x) < std::pair(layout.nodes[b].y, layout.nodes[b].x);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Point& node = layout.nodes[order[i]];
    EXPECT_GE(node.x - widths[order[i]] / 2, -1e-6);
    EXPECT_LE(node.x + widths[order[i]] / 2, layout.width + 1e-6);
    EXPECT_LE(node.y + sizes.node_height / 2, layout.height + 1e-6);
    if (i == 0 || layout.nodes[order[i - 1]].y != node.y) continue;
    const double room = node.x - layout.nodes[order[i - 1]].x - (widths[order[i]] + widths[order[i - 1]]) / 2;
    EXPECT_GE(room, sizes.between_nodes - 1e-6);
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::vector<Point>& corners = layout.edges[i];
    EXPECT_DOUBLE_EQ(corners.front().x, layout.nodes[edges[i].from].x);
    EXPECT_DOUBLE_EQ(corners.back().x, layout.nodes[edges[i].to].x);
    for (std::size_t k = 1; k < corners.size(); ++k) EXPECT_LT(corners[k - 1].y, corners[k].y);
  }
}

TEST(GraphLayoutTest, EmptyGraphsAndLoneNodes) {
  EXPECT_EQ(LayOutGraph({}, {}).height, 0);
  ExpectSound({80}, {});
  ExpectSound({80, 120, 90}, {});
}

TEST(GraphLayoutTest, AChainStandsInOneLine) {
  const GraphLayout layout = LayOutGraph({80, 200, 60}, {{0, 1}, {1, 2}});
  EXPECT_NEAR(layout.nodes[0].x, layout.nodes[1].x, 1e-6);
  EXPECT_NEAR(layout.nodes[1].x, layout.nodes[2].x, 1e-6);
}

TEST(GraphLayoutTest, AnEdgeThatPassesANodeGoesAroundIt) {
  const GraphLayout layout = LayOutGraph({80, 200, 80}, {{0, 1}, {1, 2}, {0, 2}});
  ASSERT_EQ(layout.edges[2].size(), 4U);
  EXPECT_GT(std::abs(layout.edges[2][1].x - layout.nodes[1].x), 100);
}

TEST(GraphLayoutTest, BranchesDontCross) {
  const GraphLayout layout = LayOutGraph({80, 80, 80, 80, 80, 80}, {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}, {4, 5}});
  EXPECT_EQ(layout.nodes[1].x < layout.nodes[2].x, layout.nodes[4].x < layout.nodes[3].x);
}

TEST(GraphLayoutTest, RandomGraphsAreSound) {
  constexpr unsigned kSeed = 41;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 generator(kSeed);
  for (int round = 0; round < 30; ++round) {
    std::vector<double> widths;
    std::vector<LayoutEdge> edges;
    for (std::size_t node = 0; node < 60; ++node) {
      widths.push_back(60.0 + static_cast<double>(generator() % 200));
      for (std::size_t count = generator() % 3; node > 0 && count > 0; --count) {
        edges.push_back({node - 1 - generator() % std::min<std::size_t>(node, 1 + generator() % 20), node});
      }
    }
    ExpectSound(widths, edges);
  }
}

TEST(GraphLayoutTest, LargeGraphsTakeNoQuadraticTime) {
  constexpr std::size_t kCount = 30000;
  const std::vector<double> widths(kCount, 100);
  std::vector<LayoutEdge> chain;
  std::vector<LayoutEdge> star;
  std::vector<LayoutEdge> all_to_last;  // passes more ranks than bends are made for
  for (std::size_t i = 1; i < kCount; ++i) {
    chain.push_back({i - 1, i});
    star.push_back({0, i});
    all_to_last.push_back({i - 1, i});
    if (i + 1 < kCount) all_to_last.push_back({i - 1, kCount - 1});
  }
  EXPECT_EQ(LayOutGraph(widths, chain).nodes.size(), kCount);
  EXPECT_EQ(LayOutGraph(widths, star).nodes.size(), kCount);
  EXPECT_EQ(LayOutGraph(widths, all_to_last).edges.size(), all_to_last.size());
}

}  // namespace
}  // namespace kuiper_infer::cli
