// SPDX-License-Identifier: MIT
#include "cli/bench/decoding_runs.hpp"

#include <algorithm>
#include <limits>

#include "cli/bench/run_times.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

/// The shape of an input for `tokens` tokens, for --shape: free extents are the number of tokens.
std::string ShapeOption(const std::string& name, const TensorSpec& spec, int64_t tokens) {
  std::string text = name + "=";
  for (std::size_t axis = 0; axis < spec.shape.size(); ++axis) {
    text += (axis == 0 ? "" : ",") + std::to_string(spec.shape[axis] < 0 ? tokens : spec.shape[axis]);
  }
  return text;
}

}  // namespace

NamedInputs InputsForTokens(const RuntimeGraph& graph, ModelOptions options, int64_t tokens) {
  for (const std::string& name : graph.input_names()) {
    const auto names = [&](const std::string& option) { return option.rfind(name + "=", 0) == 0; };
    const bool given = std::any_of(options.inputs.begin(), options.inputs.end(), names) ||
                       std::any_of(options.shapes.begin(), options.shapes.end(), names);
    if (!given) options.shapes.push_back(ShapeOption(name, graph.input_spec(name), tokens));
  }
  return ReadInputs(graph, options, true);
}

void CheckWindows(const std::vector<RuntimeGraph::State>& states, int64_t length) {
  for (const RuntimeGraph::State& state : states) {
    if (state.window == 0 || length <= state.window) continue;
    const std::string window = std::to_string(state.window);
    throw Error(ErrorCode::kInput, "--decode is " + std::to_string(length) + ", but state '" + state.input +
                                       "' keeps the last " + window + " elements: expected at most " + window);
  }
}

double OverheadOf(RuntimeGraph& graph, const NamedInputs& step) {
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

SequenceTimes TimeSequences(const RuntimeGraph& graph, const Session& session, const BenchOptions& options,
                            const NamedInputs& step, const NamedInputs* prompt, const CancelToken& cancel) {
  const StateSnapshot states = session.Snapshot();
  std::vector<Session> sequences;
  for (int i = 0; i < options.sequences; ++i) {
    sequences.push_back(graph.NewSession());
    sequences.back().Restore(states);
  }
  Session joining = graph.NewSession();
  std::vector<Session*> all;
  for (Session& each : sequences) all.push_back(&each);
  std::vector<NamedInputs> inputs(sequences.size(), step);
  RunOptions run;
  run.cancel = cancel;
  const auto steps = [&] {
    Session::RunTogether(all, inputs, run);
    for (Session& each : sequences) each.Truncate(options.decode);
  };
  SequenceTimes times;
  RanToItsEnd(steps);
  times.steps = TimeRuns(steps, kFewestSteps, options.seconds, cancel);
  if (prompt == nullptr) return times;
  const auto apart = [&] {
    steps();
    joining.Run(*prompt, run);
    joining.Reset();
  };
  const auto beside = [&] {
    all.push_back(&joining);
    inputs.push_back(*prompt);
    steps();
    all.pop_back();
    inputs.pop_back();
    joining.Reset();
  };
  // One after the other, so that other programs slow down the one as much as the other.
  const auto both = [&] {
    const BenchClock::time_point start = BenchClock::now();
    apart();
    times.apart.push_back(MillisecondsSince(start));
    beside();
    times.beside.push_back(MillisecondsSince(start) - times.apart.back());
  };
  RanToItsEnd(both);
  times.apart.clear();
  times.beside.clear();
  TimeRuns(both, kFewestSteps, options.seconds, cancel);
  return times;
}

}  // namespace kuiper_infer::cli
