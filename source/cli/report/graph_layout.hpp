// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace kuiper_infer::cli {

/// A point of a picture, in pixels from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// An edge of a graph, from a node to a later one.
struct LayoutEdge {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct GraphLayout {
  std::vector<Point> nodes;  ///< the centre of each node
  std::vector<std::vector<Point>>
      edges;  ///< the corners of each, from the lower border of a node to the upper of another
  double width = 0;
  double height = 0;
};

struct LayoutSizes {
  double node_height = 40;
  double between_nodes = 24;  ///< between neighbours in a rank
  double between_ranks = 26;
};

/// Places nodes of these widths in ranks, each below all nodes from which an edge leads to it. An edge that passes
/// ranks is led between their nodes. Every edge leads from a node to a node of a larger number. The time is
/// proportional to the size of the picture. If edges pass more ranks than in any real network, they are drawn as
/// straight lines.
GraphLayout LayOutGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges,
                        const LayoutSizes& sizes = {});

}  // namespace kuiper_infer::cli
