// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace kuiper_infer::cli {

/// A place in a picture, in pixels from the left upper corner.
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
  std::vector<Point> nodes;  ///< the centre of each
  std::vector<std::vector<Point>>
      edges;  ///< the corners of each, from the lower border of a node to the upper of another
  double width = 0;
  double height = 0;
};

struct LayoutSizes {
  double node_height = 40;
  double between_nodes = 24;  ///< that stand side by side
  double between_ranks = 26;
};

/// Places nodes of these widths in ranks, each below all that it is reached from, and leads edges that pass ranks
/// between their nodes. Every edge leads from a node to one of a larger number. The time is in proportion to the size
/// of the picture; where edges pass more ranks than any network's, they are straight lines.
GraphLayout LayOutGraph(const std::vector<double>& widths, const std::vector<LayoutEdge>& edges,
                        const LayoutSizes& sizes = {});

}  // namespace kuiper_infer::cli
