// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "cli/bench/bench.hpp"
#include "cli/bench/run_times.hpp"
#include "cli/machine.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/precision.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr std::size_t kFewestSteps = 5;  ///< that are measured

/// The shape of an input for `tokens` tokens, for --shape: free extents are the number of tokens.
std::string ShapeOption(const std::string& name, const TensorSpec& spec, int64_t tokens) {
  std::string text = name + "=";
  for (std::size_t axis = 0; axis < spec.shape.size(); ++axis) {
    text += (axis == 0 ? "" : ",") + std::to_string(spec.shape[axis] < 0 ? tokens : spec.shape[axis]);
  }
  return text;
}

/// Inputs for a run of this number of tokens. Inputs that --input or --shape name are as given.
std::map<std::string, NdArray> InputsFor(const RuntimeGraph& graph, ModelOptions options, int64_t tokens) {
  for (const std::string& name : graph.input_names()) {
    const auto names = [&](const std::string& option) { return option.rfind(name + "=", 0) == 0; };
    const bool given = std::any_of(options.inputs.begin(), options.inputs.end(), names) ||
                       std::any_of(options.shapes.begin(), options.shapes.end(), names);
    if (!given) options.shapes.push_back(ShapeOption(name, graph.input_spec(name), tokens));
  }
  return ReadInputs(graph, options, true);
}

/// Throws if a state cannot have the length at which tokens are measured.
void CheckWindows(const std::vector<RuntimeGraph::State>& states, int64_t length) {
  for (const RuntimeGraph::State& state : states) {
    if (state.window == 0 || length <= state.window) continue;
    const std::string window = std::to_string(state.window);
    throw Error(ErrorCode::kInput, "--decode is " + std::to_string(length) + ", but state '" + state.input +
                                       "' keeps the last " + window + " elements: expected at most " + window);
  }
}

/// The median of milliseconds, in seconds.
double MedianSeconds(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return Quantile(times, 0.5) * 1e-3;
}

/// The share of a run's time that is not spent in steps of the plan. Runs that are timed as a whole and runs whose
/// steps are timed alternate, since timing the steps takes time; the fastest of each are compared.
double OverheadOf(RuntimeGraph& graph, const std::map<std::string, NdArray>& step) {
  constexpr int kRuns = 20;
  double whole = std::numeric_limits<double>::max();
  double steps = std::numeric_limits<double>::max();
  for (const auto& [name, array] : step) graph.set_input(name, array);
  for (int i = 0; i < kRuns; ++i) {
    const BenchClock::time_point start = BenchClock::now();
    graph.Run();
    whole = std::min(whole, MillisecondsSince(start) * 1e-3);
    double seconds = 0;
    for (const RuntimeGraph::StepProfile& profile : graph.Profile()) seconds += profile.seconds;
    steps = std::min(steps, seconds);
  }
  return std::max(0.0, 1 - steps / whole);
}

/// Milliseconds of runs in which each of several sequences, whose states are those of `session`, makes a token.
std::vector<double> TimeTogether(const RuntimeGraph& graph, const Session& session, const BenchOptions& options,
                                 const std::map<std::string, NdArray>& step, const CancelToken& cancel) {
  const StateSnapshot states = session.Snapshot();
  std::vector<Session> sessions;
  std::vector<Session*> all;
  for (int i = 0; i < options.sequences; ++i) {
    sessions.push_back(graph.NewSession());
    sessions.back().Restore(states);
  }
  for (Session& each : sessions) all.push_back(&each);
  const std::vector<std::map<std::string, NdArray>> inputs(sessions.size(), step);
  RunOptions run;
  run.cancel = cancel;
  const auto measured = [&] {
    Session::RunTogether(all, inputs, run);
    for (Session& each : sessions) each.Truncate(options.decode);
  };
  RanToItsEnd(measured);
  return TimeRuns(measured, kFewestSteps, options.seconds, cancel);
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
  const auto prompt = InputsFor(graph, model, std::max<int64_t>(chunk, 1));
  const auto step = InputsFor(graph, model, 1);
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
  std::vector<double> together_times;
  if (options.sequences > 0 && !interrupt.requested()) {
    session.Truncate(options.decode);
    together_times = TimeTogether(graph, session, options, step, interrupt.token());
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
  if (!together_times.empty()) {
    result["sequences"] = options.sequences;
    result["sequences_tokens_per_s"] = options.sequences / MedianSeconds(together_times);
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
    if (!together_times.empty()) {
      std::printf("%d sequences together %.1f tokens/s\n", options.sequences,
                  result["sequences_tokens_per_s"].get<double>());
    }
    std::printf("outside of steps %.1f %%  states %.1f MiB  load and build %.1f ms  peak memory %.1f MiB\n",
                100 * result["step_overhead"].get<double>(), static_cast<double>(session.StateBytes()) / (1 << 20),
                load_ms, PeakMebibytes());
  }
  return FinishBench(interrupt, note);
}

}  // namespace kuiper_infer::cli
