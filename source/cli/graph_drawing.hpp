// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/graph_rows.hpp"

namespace kuiper_infer::cli {

/// The graph in Graphviz's language DOT: a box for each row that is shown, with shape, method, layout and, where
/// `total` (the seconds of all steps) is not 0, the share of time. Rows without a step are dashed, repeats are framed.
std::string MakeDot(const GraphRows& graph, double total);

/// The graph as text: a line for each row that is shown, with shape, method, layout and, where `total` is not 0, time.
std::string MakeText(const GraphRows& graph, double total);

}  // namespace kuiper_infer::cli
