// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/bench/bench.hpp"
#include "cli/bench/run_times.hpp"
#include "cli/machine.hpp"
#include "runtime/precision.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {

int BenchRuns(const BenchOptions& options) {
  LoadedModel model = LoadedModel::With(options.model, options.model.build.num_threads);
  for (const auto& [name, array] : model.inputs) model.graph.set_input(name, array);
  const InterruptScope interrupt;
  RunOptions run;
  run.cancel = interrupt.token();
  const BenchClock::time_point first_start = BenchClock::now();
  RanToItsEnd([&] { model.graph.Run(run); });
  const double first_ms = MillisecondsSince(first_start);
  RanToItsEnd([&] { model.graph.Run(run); });

  const bool progress = isatty(STDERR_FILENO) != 0;
  const LoadWatch watch;
  const BenchClock::time_point start = BenchClock::now();
  constexpr std::size_t kFewestRuns = 5;
  std::size_t runs = 0;
  const auto measured = [&] {
    model.graph.Run(run);
    if (progress) std::fprintf(stderr, "\r%zu runs", ++runs);
  };
  std::vector<double> times = TimeRuns(measured, kFewestRuns, options.seconds, interrupt.token());
  const double seconds = MillisecondsSince(start) * 1e-3;
  if (progress) std::fprintf(stderr, "\r\033[K");
  if (times.empty()) return FinishBench(interrupt, "");
  std::sort(times.begin(), times.end());
  const double median = Quantile(times, 0.5);
  const double p90 = Quantile(times, 0.9);
  const int threads = ThreadsOfARun(options.model.build.num_threads);
  const double gflops = 2.0 * model.graph.report().multiply_adds / (times.front() * 1e6);
  nlohmann::json result = {{"min_ms", times.front()},  {"median_ms", median}, {"p90_ms", p90},
                           {"runs", times.size()},     {"threads", threads},  {"gflop_per_s", gflops},
                           {"load_ms", model.load_ms}, {"first_ms", first_ms}};
  const std::string note = AddMachine(options, watch, seconds, p90 / times.front() - 1, result);
  if (options.json) {
    std::cout << result.dump() << "\n";
  } else {
    std::printf("min %.3f ms  median %.3f ms  p90 %.3f ms  %zu runs  %d threads  %s, %s precision\n", times.front(),
                median, p90, times.size(), threads, IsaName(), PrecisionName(options.model.build.precision).c_str());
    std::printf("%.1f GFLOP/s  load and build %.1f ms  first run %.1f ms  peak memory %.1f MiB\n", gflops,
                model.load_ms, first_ms, PeakMebibytes());
  }
  return FinishBench(interrupt, note);
}

}  // namespace kuiper_infer::cli
