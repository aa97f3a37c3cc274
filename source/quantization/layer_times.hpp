// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// Milliseconds of a quantised layer's steps.
struct LayerTime {
  double before = 0;      ///< in the float model
  double after = 0;       ///< in the candidate, with its share of the roundings to the grid that it reads
  bool integers = false;  ///< the candidate computes it in integers on this CPU
};

struct Times {
  std::map<std::string, LayerTime> layers;  ///< those that have a step of their own in both
  double before = 0;                        ///< milliseconds of all steps of the float model
  double after = 0;
};

/// Times the steps of both models on a sample, each in the fastest of several runs, which alternate.
Times CompareTimes(RuntimeGraph& float_graph, const Candidate& candidate, RuntimeGraph& candidate_graph,
                   const Samples& samples);

}  // namespace kuiper_infer::quantization
