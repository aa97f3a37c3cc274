// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/graph/graph_rows.hpp"

namespace kuiper_infer::cli {

/// The text above a drawing.
struct GraphCaption {
  std::string title;
  std::vector<std::string> totals;  ///< lines
};

/// The model's name, taken from its file, and the time and memory of a run. `total` is as for MakeDot.
GraphCaption CaptionOf(const RuntimeGraph& graph, const std::string& param, double total);

/// The graph in Graphviz's language DOT. Each row that is shown is a box with shape, method, layout and, if `total`
/// (the seconds of all steps) is not 0, its share of the time. Rows without a step are dashed, repeats are framed.
/// Caption and legend are above the graph.
std::string MakeDot(const GraphRows& graph, const GraphCaption& caption, double total);

/// The graph as text: a line for each row that is shown, with shape, method, layout and, if `total` is not 0, the time.
std::string MakeText(const GraphRows& graph, double total);

/// "0.123 ms, 4.5 %" of the total.
std::string TimeText(double seconds, double total);

}  // namespace kuiper_infer::cli
