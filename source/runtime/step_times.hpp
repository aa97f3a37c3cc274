// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer {

using Steps = std::vector<RuntimeGraph::StepProfile>;

/// Seconds of all steps together.
double TotalSeconds(const Steps& steps);

/// The profile of each step in that of `runs` runs in which it was fastest: the others were disturbed.
Steps MeasureSteps(RuntimeGraph& graph, int runs);

/// The profile of the fastest of `runs` runs as it went, with what each thread did.
Steps FastestTrace(RuntimeGraph& graph, int runs);

/// Seconds of the fastest of `runs` runs from end to end.
double FastestRun(RuntimeGraph& graph, int runs);

}  // namespace kuiper_infer
