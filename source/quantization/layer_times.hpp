// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::quantization {

/// Milliseconds of a layer's steps.
struct LayerTime {
  double before = 0;  ///< in the float model
  double after = 0;   ///< in the candidate, with its share of the roundings to the grid that it reads
};

struct Times {
  std::map<std::string, LayerTime> layers;  ///< those that have a step in both
  /// Convolutions that the float model computes together with a later one, in a chain: the time of that one is all of
  /// theirs.
  std::map<std::string, std::string> chained_to;
  std::set<std::string> integers;  ///< layers that the candidate computes in integers on this CPU
  double before = 0;               ///< milliseconds of all steps of the float model
  double after = 0;

  /// The time in which a layer's is; null where none is known.
  const LayerTime* Find(const std::string& layer) const;
};

/// The convolutions among the candidate's steps that have none in the float model, each with the next one that has: it
/// ends the chain.
std::map<std::string, std::string> ChainsOf(const Steps& float_steps, const Steps& candidate_steps);

/// Times the steps of both models on a sample, each in the fastest of several runs, which alternate.
Times CompareTimes(RuntimeGraph& float_graph, const Candidate& candidate, RuntimeGraph& candidate_graph,
                   const Samples& samples);

}  // namespace kuiper_infer::quantization
