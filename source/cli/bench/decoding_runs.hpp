// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/bench/bench.hpp"

namespace kuiper_infer::cli {

/// Inputs by their names.
using NamedInputs = std::map<std::string, NdArray>;

constexpr std::size_t kFewestSteps = 5;  ///< that are measured

/// Inputs for a run of this number of tokens. Inputs that --input or --shape name are as given.
NamedInputs InputsForTokens(const RuntimeGraph& graph, ModelOptions options, int64_t tokens);

/// Throws if a state cannot have the length at which tokens are measured.
void CheckWindows(const std::vector<RuntimeGraph::State>& states, int64_t length);

/// The share of a run's time that is not spent in steps of the plan. Runs that are timed as a whole and runs whose
/// steps are timed alternate, since timing the steps takes time; the fastest of each are compared.
double OverheadOf(RuntimeGraph& graph, const NamedInputs& step);

/// Milliseconds of runs of several sequences, each of which makes a token.
struct SequenceTimes {
  std::vector<double> steps;   ///< runs of the sequences together
  std::vector<double> apart;   ///< a run of the sequences and then a run of the prompt, both together
  std::vector<double> beside;  ///< one joint run of the sequences and the prompt
};

/// Measures sequences whose states are those of `session`; `apart` and `beside` only if `prompt` is not null.
SequenceTimes TimeSequences(const RuntimeGraph& graph, const Session& session, const BenchOptions& options,
                            const NamedInputs& step, const NamedInputs* prompt, const CancelToken& cancel);

}  // namespace kuiper_infer::cli
