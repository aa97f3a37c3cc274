// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/graph_rows.hpp"

namespace kuiper_infer::cli {

/// What stands above a drawing.
struct GraphCaption {
  std::string title;
  std::vector<std::string> totals;  ///< lines
};

/// The model's name by its file, and what a run of it takes. `total` is as for MakeDot.
GraphCaption CaptionOf(const RuntimeGraph& graph, const std::string& param, double total);

/// The graph in Graphviz's language DOT: a box for each row that is shown, with shape, method, layout and, where
/// `total` (the seconds of all steps) is not 0, the share of time. Rows without a step are dashed, repeats are framed;
/// above it stand the caption and a legend.
std::string MakeDot(const GraphRows& graph, const GraphCaption& caption, double total);

/// The graph as text: a line for each row that is shown, with shape, method, layout and, where `total` is not 0, time.
std::string MakeText(const GraphRows& graph, double total);

/// "0.123 ms, 4.5 %" of the total.
std::string TimeText(double seconds, double total);

}  // namespace kuiper_infer::cli
