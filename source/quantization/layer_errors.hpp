// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// What rounding does to a layer.
struct LayerError {
  std::optional<double> decibels;  ///< signal-to-noise ratio of its output; none of zeros alone
  std::vector<float> mean_shift;   ///< by output channel, the mean of its output in float less that of the rounded one;
                                   ///< empty where it has no weight
};

/// The errors of each of these layers where what it multiplies is rounded and all in front of it is in float: a
/// twin of each layer beside it tells them in one pass over the samples.
std::map<std::string, LayerError> LayerErrors(const FloatModel& model, const std::set<std::string>& layers,
                                              const Calibration& calibration, const Samples& samples,
                                              const Progress& progress);

}  // namespace kuiper_infer::quantization
