// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/bench/bench.hpp"
#include "cli/bench/clients.hpp"
#include "cli/bench/run_times.hpp"
#include "cli/machine.hpp"
#include "runtime/precision.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

using nlohmann::json;

constexpr char kInTurn[] = "in turn";

/// A way of serving clients.
struct Way {
  std::string name;
  int threads;  ///< of a run
  LoadedModel model;
  std::optional<Clients> clients;

  Way(const BenchOptions& options, std::string text, int asked)
      : name(std::move(text)), threads(ThreadsOfARun(asked)), model(LoadedModel::With(options.model, threads)) {}
};

json JsonOf(const Way& way, const Clients::Result& result) {
  return {{"requests_per_s", result.requests_per_s},
          {"min_ms", Quantile(result.times, 0)},
          {"median_ms", Quantile(result.times, 0.5)},
          {"p50_ms", Quantile(result.times, 0.5)},
          {"p95_ms", Quantile(result.times, 0.95)},
          {"p99_ms", Quantile(result.times, 0.99)},
          {"runs", result.times.size()},
          {"threads", way.threads},
          {"load_ms", way.model.load_ms}};
}

}  // namespace

int BenchClients(const BenchOptions& options) {
  std::vector<Way> ways;
  if (options.model.build.num_threads > 0) {
    ways.emplace_back(options, "at once", options.model.build.num_threads);
  } else {
    ways.reserve(2);
    ways.emplace_back(options, "streams", 1);
    ways.emplace_back(options, kInTurn, 0);
  }
  const InterruptScope interrupt;
  for (Way& way : ways) {
    way.clients.emplace(way.model.graph, way.model.inputs, options.clients, way.name == kInTurn, interrupt.token());
  }
  const LoadWatch watch;
  const BenchClock::time_point start = BenchClock::now();
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds && !interrupt.requested(); ++round) {
    for (Way& way : ways) way.clients->Measure(options.seconds / kRounds);
  }
  const double seconds = MillisecondsSince(start) * 1e-3;
  if (ways.front().clients->Results().times.empty()) return FinishBench(interrupt, "");

  json result;
  double spread = 0;
  if (!options.json) {
    std::printf("%d clients of one model, %s, %s precision, peak memory %.1f MiB\n", options.clients, IsaName(),
                PrecisionName(options.model.build.precision).c_str(), PeakMebibytes());
    std::printf("%-8s %7s %8s %10s %9s %9s %9s\n", "", "threads", "requests", "requests/s", "p50 ms", "p95 ms",
                "p99 ms");
  }
  for (const Way& way : ways) {
    const Clients::Result measured = way.clients->Results();
    if (measured.times.empty()) continue;  // Ctrl-C came first
    spread = std::max(spread, measured.spread);
    if (&way == &ways.front()) {
      result = JsonOf(way, measured);
    } else {
      result["in_turn"] = JsonOf(way, measured);
    }
    if (options.json) continue;
    std::printf("%-8s %7d %8zu %10.1f %9.3f %9.3f %9.3f\n", way.name.c_str(), way.threads, measured.times.size(),
                measured.requests_per_s, Quantile(measured.times, 0.5), Quantile(measured.times, 0.95),
                Quantile(measured.times, 0.99));
  }
  result["clients"] = options.clients;
  const std::string note = AddMachine(options, watch, seconds, spread, result);
  if (options.json) std::cout << result.dump() << "\n";
  return FinishBench(interrupt, note);
}

}  // namespace kuiper_infer::cli
