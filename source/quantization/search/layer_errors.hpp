// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"

namespace kuiper_infer::quantization {

/// The errors that rounding causes in a layer.
struct LayerError {
  std::optional<double> decibels;  ///< signal-to-noise ratio of its output; none if all outputs are zeros
  std::vector<float> mean_shift;   ///< for each output channel, the mean of its output in float minus the mean of its
                                   ///< rounded output; empty if the layer has no weight
};

/// The errors of each of these layers if only its own factors are rounded and all layers before it are in float. One
/// pass over the samples gives all of them: a rounded copy of each layer runs beside the layer.
std::map<std::string, LayerError> LayerErrors(const FloatModel& model, const std::set<std::string>& layers,
                                              const Calibration& calibration, const Samples& samples,
                                              const Progress& progress);

}  // namespace kuiper_infer::quantization
