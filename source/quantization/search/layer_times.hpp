// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::quantization {

/// The time of a layer's steps in milliseconds.
struct LayerTime {
  double before = 0;  ///< in the float model
  double after = 0;   ///< in the candidate, including its share of the time for rounding its input
};

struct Times {
  std::map<std::string, LayerTime> layers;  ///< layers that have a step in both models
  /// For each convolution that the float model computes in a chain with a later one, the last convolution of that
  /// chain. Its time is that of the whole chain.
  std::map<std::string, std::string> chained_to;
  std::set<std::string> integers;  ///< layers that the candidate computes in integers on this CPU
  double before = 0;               ///< milliseconds of all steps of the float model
  double after = 0;

  /// The time that includes a layer's time; null if none is known.
  const LayerTime* Find(const std::string& layer) const;
};

/// The convolutions that have a step in the candidate but none in the float model, because they are part of a chain.
/// Each comes with the next convolution that has a step in the float model: the last one of the chain.
std::map<std::string, std::string> ChainsOf(const Steps& float_steps, const Steps& candidate_steps);

/// Times the steps of both models on a sample, each in the fastest of several runs, which alternate.
Times CompareTimes(RuntimeGraph& float_graph, const Candidate& candidate, RuntimeGraph& candidate_graph,
                   const Samples& samples);

}  // namespace kuiper_infer::quantization
