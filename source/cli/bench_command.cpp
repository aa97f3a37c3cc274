// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "utils/cpu_info.hpp"
#include "utils/parallel.hpp"
#include "utils/thread_count.hpp"

namespace kuiper_infer::cli {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double PeakMebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

int Bench(const ModelOptions& options, double seconds, bool json) {
  const Clock::time_point load_start = Clock::now();
  RuntimeGraph graph = LoadModel(options);
  const double load_ms = MillisecondsSince(load_start);
  SetInputs(graph, options, true);
  const Clock::time_point first_start = Clock::now();
  graph.Run();
  const double first_ms = MillisecondsSince(first_start);
  graph.Run();

  const bool progress = isatty(STDERR_FILENO) != 0;
  constexpr std::size_t kFewestRuns = 5;
  std::vector<double> times;
  const Clock::time_point start = Clock::now();
  while (times.size() < kFewestRuns || MillisecondsSince(start) < seconds * 1e3) {
    const Clock::time_point run_start = Clock::now();
    graph.Run();
    times.push_back(MillisecondsSince(run_start));
    if (progress) std::fprintf(stderr, "\r%zu runs", times.size());
  }
  if (progress) std::fprintf(stderr, "\r\033[K");
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  const int wanted = options.threads > 0 ? options.threads : DefaultThreads();
  const int threads = PrepareTeam(wanted > 0 ? wanted : MaxThreads());
  const double gflops = 2.0 * graph.report().multiply_adds / (times.front() * 1e6);
  const nlohmann::json result = {{"min_ms", times.front()},
                                 {"median_ms", at(0.5)},
                                 {"p90_ms", at(0.9)},
                                 {"runs", times.size()},
                                 {"threads", threads},
                                 {"isa", IsaName()},
                                 {"gflop_per_s", gflops},
                                 {"peak_mib", PeakMebibytes()},
                                 {"load_ms", load_ms},
                                 {"first_ms", first_ms},
                                 {"precision", options.precision},
                                 {"unit", MatrixUnitName()}};
  if (json) {
    std::cout << result.dump() << "\n";
  } else {
    std::printf("min %.3f ms  median %.3f ms  p90 %.3f ms  %zu runs  %d threads  %s, %s precision\n", times.front(),
                at(0.5), at(0.9), times.size(), threads, IsaName(), options.precision.c_str());
    std::printf("%.1f GFLOP/s  load and build %.1f ms  first run %.1f ms  peak memory %.1f MiB\n", gflops, load_ms,
                first_ms, PeakMebibytes());
  }
  return 0;
}

}  // namespace

void AddBenchCommand(CLI::App& app, Action& action) {
  const Command command(app, "bench", "Time a model");
  auto options = std::make_shared<ModelOptions>();
  auto seconds = std::make_shared<double>(2.0);
  auto json = std::make_shared<bool>(false);
  options->AddTo(command, true);
  command.Add("--seconds", *seconds, "How long to measure").InRange(0.0, 3600.0).ShowsDefault();
  command.AddFlag("--json", *json, "Print one JSON object in one line");
  command.SetFooter(
      "Examples:\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --shape pnnx_input_0=8,3,224,224 --json");
  command.SetAction(action, [=] { return Bench(*options, *seconds, *json); });
}

}  // namespace kuiper_infer::cli
