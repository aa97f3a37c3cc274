// SPDX-License-Identifier: MIT
#include "runtime/step_times.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace kuiper_infer {

double TotalSeconds(const Steps& steps) {
  double sum = 0;
  for (const auto& step : steps) sum += step.seconds;
  return sum;
}

Steps MeasureSteps(RuntimeGraph& graph, int runs, const RunOptions& options) {
  graph.Run(options);
  Steps best = graph.Profile(false, options);
  for (int run = 1; run < runs; ++run) {
    const Steps steps = graph.Profile(false, options);
    for (std::size_t i = 0; i < std::min(best.size(), steps.size()); ++i) {
      best[i].seconds = std::min(best[i].seconds, steps[i].seconds);
    }
  }
  double start = 0;
  for (auto& step : best) {
    step.start = start;
    start += step.seconds;
  }
  return best;
}

Steps FastestTrace(RuntimeGraph& graph, int runs) {
  const auto end = [](const Steps& steps) { return steps.empty() ? 0 : steps.back().start + steps.back().seconds; };
  Steps fastest = graph.Profile(true);
  for (int run = 1; run < runs; ++run) {
    Steps steps = graph.Profile(true);
    if (end(steps) < end(fastest)) fastest = std::move(steps);
  }
  return fastest;
}

double FastestRun(RuntimeGraph& graph, int runs, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  double fastest = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const Clock::time_point start = Clock::now();
    graph.Run(options);
    fastest = std::min(fastest, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return fastest;
}

}  // namespace kuiper_infer
