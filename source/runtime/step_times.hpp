// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer {

using Steps = std::vector<RuntimeGraph::StepProfile>;

// All runs of one call begin with the graph's present states, which the call restores after each run.

/// Seconds of all steps together.
double TotalSeconds(const Steps& steps);

/// The profile of each step in the run, out of `runs`, in which it was fastest: slower runs were disturbed. `options`
/// hold for all runs: their deadline ends the measurement.
Steps MeasureSteps(RuntimeGraph& graph, int runs, const RunOptions& options = {});

/// The profile of each step with its mean time over `runs` runs after a first one: for a clock that is too coarse to
/// time a step once.
Steps MeanSteps(RuntimeGraph& graph, int runs, const RunOptions& options = {});

/// The profile of the fastest of `runs` runs, with what each thread did in it.
Steps FastestTrace(RuntimeGraph& graph, int runs);

/// Seconds of the fastest of `runs` runs from end to end.
double FastestRun(RuntimeGraph& graph, int runs, const RunOptions& options = {});

/// Mean of the seconds of `runs` runs from end to end.
double MeanRun(RuntimeGraph& graph, int runs, const RunOptions& options = {});

}  // namespace kuiper_infer
