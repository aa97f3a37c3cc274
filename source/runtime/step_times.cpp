// SPDX-License-Identifier: MIT
#include "runtime/step_times.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace kuiper_infer {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Runs `body` for each of `runs` runs, which all begin with the states that the graph has now: states that grow would
/// make each run longer than the one before.
template <class Body>
void Repeat(RuntimeGraph& graph, int runs, const Body& body) {
  const StateSnapshot states = graph.SnapshotStates();
  for (int run = 0; run < runs; ++run) {
    body();
    graph.RestoreStates(states);
  }
}

/// Lets each step start when the previous one ends.
void SetStarts(Steps& steps) {
  double start = 0;
  for (auto& step : steps) {
    step.start = start;
    start += step.seconds;
  }
}

}  // namespace

double TotalSeconds(const Steps& steps) {
  double sum = 0;
  for (const auto& step : steps) sum += step.seconds;
  return sum;
}

Steps MeasureSteps(RuntimeGraph& graph, int runs, const RunOptions& options) {
  Repeat(graph, 1, [&] { graph.Run(options); });
  Steps best;
  Repeat(graph, std::max(1, runs), [&] {
    const Steps steps = graph.Profile(false, options);
    if (best.empty()) best = steps;
    for (std::size_t i = 0; i < std::min(best.size(), steps.size()); ++i) {
      best[i].seconds = std::min(best[i].seconds, steps[i].seconds);
    }
  });
  SetStarts(best);
  return best;
}

Steps MeanSteps(RuntimeGraph& graph, int runs, const RunOptions& options) {
  Repeat(graph, 1, [&] { graph.Run(options); });
  Steps sums;
  Repeat(graph, std::max(1, runs), [&] {
    const Steps steps = graph.Profile(false, options);
    if (sums.empty()) {
      sums = steps;
      return;
    }
    for (std::size_t i = 0; i < std::min(sums.size(), steps.size()); ++i) sums[i].seconds += steps[i].seconds;
  });
  for (auto& step : sums) step.seconds /= std::max(1, runs);
  SetStarts(sums);
  return sums;
}

Steps FastestTrace(RuntimeGraph& graph, int runs) {
  const auto end = [](const Steps& steps) { return steps.empty() ? 0 : steps.back().start + steps.back().seconds; };
  Steps fastest;
  Repeat(graph, std::max(1, runs), [&] {
    Steps steps = graph.Profile(true);
    if (fastest.empty() || end(steps) < end(fastest)) fastest = std::move(steps);
  });
  return fastest;
}

double FastestRun(RuntimeGraph& graph, int runs, const RunOptions& options) {
  double fastest = std::numeric_limits<double>::infinity();
  Repeat(graph, runs, [&] {
    const Clock::time_point start = Clock::now();
    graph.Run(options);
    fastest = std::min(fastest, SecondsSince(start));
  });
  return fastest;
}

double MeanRun(RuntimeGraph& graph, int runs, const RunOptions& options) {
  double sum = 0;
  Repeat(graph, runs, [&] {
    const Clock::time_point start = Clock::now();
    graph.Run(options);
    sum += SecondsSince(start);
  });
  return sum / std::max(1, runs);
}

}  // namespace kuiper_infer
