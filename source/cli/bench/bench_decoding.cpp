// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>

#include "cli/bench/decoding_runs.hpp"
#include "cli/bench/run_times.hpp"
#include "cli/machine.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/precision.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

/// The median of milliseconds, in seconds.
double MedianSeconds(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return Quantile(times, 0.5) * 1e-3;
}

}  // namespace

int BenchDecoding(const BenchOptions& options) {
  ModelOptions model = options.model;
  const BenchClock::time_point load_start = BenchClock::now();
  RuntimeGraph graph = LoadModel(model);
  const double load_ms = MillisecondsSince(load_start);
  const std::vector<RuntimeGraph::State> states = graph.states();
  const bool grows = std::any_of(states.begin(), states.end(), [](const auto& state) { return state.axis >= 0; });
  if (!grows)
    throw Error(ErrorCode::kInput, "--decode needs a model with a state that grows; kuiper info lists states");
  CheckWindows(states, options.decode);
  const int64_t chunk = options.prompt > 0 ? options.prompt : std::min<int64_t>(options.decode, 256);
  const NamedInputs prompt = InputsForTokens(graph, model, std::max<int64_t>(chunk, 1));
  const NamedInputs step = InputsForTokens(graph, model, 1);
  const InterruptScope interrupt;
  RunOptions run;
  run.cancel = interrupt.token();
  const LoadWatch watch;
  const BenchClock::time_point start = BenchClock::now();
  Session session = graph.NewSession();

  std::vector<double> prompt_times;
  constexpr std::size_t kFewestPrompts = 3;
  if (options.prompt > 0) {
    RanToItsEnd([&] { session.Run(prompt, run); });
    const auto measured = [&] {
      session.Reset();
      session.Run(prompt, run);
    };
    prompt_times = TimeRuns(measured, kFewestPrompts, options.seconds, interrupt.token());
  }
  session.Reset();
  while (session.Length() + chunk <= options.decode && !interrupt.requested()) {
    RanToItsEnd([&] { session.Run(prompt, run); });
  }
  while (session.Length() < options.decode && !interrupt.requested()) RanToItsEnd([&] { session.Run(step, run); });
  const auto measured = [&] {
    session.Truncate(options.decode);
    session.Run(step, run);
  };
  RanToItsEnd(measured);
  const std::vector<double> times = TimeRuns(measured, kFewestSteps, options.seconds, interrupt.token());
  SequenceTimes sequences;
  if (options.sequences > 0 && !interrupt.requested()) {
    session.Truncate(options.decode);
    sequences = TimeSequences(graph, session, options, step, options.prompt > 0 ? &prompt : nullptr, interrupt.token());
  }
  const double seconds = MillisecondsSince(start) * 1e-3;
  if (times.empty()) return FinishBench(interrupt, "");
  const double median = MedianSeconds(times);
  const int threads = ThreadsOfARun(options.model.build.num_threads);
  nlohmann::json result = {{"decode_tokens_per_s", 1 / median},
                           {"length", options.decode},
                           {"steps", times.size()},
                           {"threads", threads},
                           {"load_ms", load_ms},
                           {"state_bytes", session.StateBytes()},
                           {"step_overhead", OverheadOf(graph, step)}};
  if (!prompt_times.empty()) {
    result["prompt"] = options.prompt;
    result["prompt_tokens_per_s"] = static_cast<double>(options.prompt) / MedianSeconds(prompt_times);
  }
  if (!sequences.steps.empty()) {
    result["sequences"] = options.sequences;
    result["sequences_tokens_per_s"] = options.sequences / MedianSeconds(sequences.steps);
  }
  if (!sequences.beside.empty()) {
    result["sequences_beside_prompt_ms"] = 1e3 * MedianSeconds(sequences.beside);
    result["sequences_and_prompt_apart_ms"] = 1e3 * MedianSeconds(sequences.apart);
  }
  std::vector<double> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const std::string note = AddMachine(options, watch, seconds, Quantile(sorted, 0.9) / sorted.front() - 1, result);
  if (options.json) {
    std::cout << result.dump() << "\n";
  } else {
    std::printf("decode %.1f tokens/s at length %lld  %zu steps  %d threads  %s, %s precision\n", 1 / median,
                static_cast<long long>(options.decode), times.size(), threads, IsaName(),
                PrecisionName(options.model.build.precision).c_str());
    if (!prompt_times.empty()) {
      std::printf("prompt %.1f tokens/s (%lld tokens)\n", result["prompt_tokens_per_s"].get<double>(),
                  static_cast<long long>(options.prompt));
    }
    if (!sequences.steps.empty()) {
      std::printf("%d sequences together %.1f tokens/s\n", options.sequences,
                  result["sequences_tokens_per_s"].get<double>());
    }
    if (!sequences.beside.empty()) {
      std::printf("%d sequences beside a prompt of %lld tokens %.1f ms, one after the other %.1f ms\n",
                  options.sequences, static_cast<long long>(options.prompt),
                  result["sequences_beside_prompt_ms"].get<double>(),
                  result["sequences_and_prompt_apart_ms"].get<double>());
    }
    std::printf("outside of steps %.1f %%  states %.1f MiB  load and build %.1f ms  peak memory %.1f MiB\n",
                100 * result["step_overhead"].get<double>(), static_cast<double>(session.StateBytes()) / (1 << 20),
                load_ms, PeakMebibytes());
  }
  return FinishBench(interrupt, note);
}

}  // namespace kuiper_infer::cli
