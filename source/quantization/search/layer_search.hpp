// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"
#include "quantization/search/gate.hpp"
#include "quantization/search/layer_errors.hpp"
#include "quantization/search/layer_times.hpp"

namespace kuiper_infer::quantization {

/// The layers of a model that are quantised, and the reasons why all other layers are not.
struct LayerSets {
  std::set<std::string> rounded;
  std::map<std::string, std::string> kept;  ///< layers in float, with the reason

  void Keep(const std::string& layer, const std::string& reason);
};

/// The data that decide which layers are quantised.
struct SearchContext {
  const FloatModel& model;
  const Samples& samples;
  const Calibration& calibration;
  const Progress& progress;

  Candidate Make(const std::set<std::string>& layers) const;
  /// Makes the candidate with one quantised layer, which reads the same grid as in the candidate with all of `layers`.
  Candidate MakeAlone(const std::string& layer, const std::set<std::string>& layers) const;
};

/// The reason why a layer with these times stays in float on a CPU that computes in integers; empty if it does not.
std::string SlowReason(const LayerTime& time, bool integers);

/// Keeps the layers in float that are not faster in integers. If the CPU computes no layer in integers, does nothing,
/// because its times say nothing about machines that do. Returns whether the CPU computes layers in integers.
bool KeepSlowLayers(const SearchContext& context, LayerSets& layers);

/// Keeps as few layers in float as the gate allows. Layers are ordered by the noise that rounding each alone adds to
/// the outputs or, if there are very many layers, to the layer's own output (`own_errors`). A bisection finds the
/// number of layers that stay in float, the noisiest first. Returns the gate's number for the result.
double KeepWorstLayers(const SearchContext& context, const Gate& gate,
                       const std::map<std::string, LayerError>& own_errors, LayerSets& layers);

}  // namespace kuiper_infer::quantization
