// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// The signal-to-noise ratio, in decibels, of each of these layers' own output where its input and its weight are
/// rounded and all in front of it is in float: a twin of each layer beside it tells it in one pass over the samples.
std::map<std::string, double> LayerErrors(const FloatModel& model, const std::set<std::string>& layers,
                                          const Histograms& histograms, const Observer& observer,
                                          const Samples& samples, const Progress& progress);

}  // namespace kuiper_infer::quantization
