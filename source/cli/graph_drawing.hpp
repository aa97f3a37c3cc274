// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/step_times.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"

namespace kuiper_infer::cli {

/// The graph in Graphviz's language DOT: operators with the method, layout and, if `timed`, the share of time of their
/// steps. Those without a step are dashed.
std::string MakeDot(const RuntimeGraph& graph, const Steps& steps, bool timed);

}  // namespace kuiper_infer::cli
