// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "quantization/candidate.hpp"
#include "quantization/gate.hpp"
#include "quantization/layer_errors.hpp"
#include "quantization/layer_times.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// The layers of a model that are quantised, and why others are not.
struct LayerSets {
  std::set<std::string> rounded;
  std::map<std::string, std::string> kept;  ///< layers in float, with the reason

  void Keep(const std::string& layer, const std::string& reason);
};

/// What decides about layers.
struct SearchContext {
  const FloatModel& model;
  const Samples& samples;
  const Calibration& calibration;
  const Progress& progress;

  Candidate Make(const std::set<std::string>& layers) const;
  /// The candidate of one layer alone, which reads the grid that it has in the one of all of `layers`.
  Candidate MakeAlone(const std::string& layer, const std::set<std::string>& layers) const;
};

/// Why a layer with these times stays in float, where others are computed in integers; empty where it doesn't.
std::string SlowReason(const LayerTime& time, bool integers);

/// Keeps in float the layers that are not faster in integers. Does nothing where the CPU computes none in integers:
/// then the times say nothing about the machines that do. Returns whether it computes any.
bool KeepSlowLayers(const SearchContext& context, LayerSets& layers);

/// Keeps in float as few layers as the gate allows: in the order of what rounding each alone costs the outputs, or, of
/// very many layers, its own output (`own_errors`), the number is found by bisection. Returns what the gate measures
/// then.
double KeepWorstLayers(const SearchContext& context, const Gate& gate,
                       const std::map<std::string, LayerError>& own_errors, LayerSets& layers);

}  // namespace kuiper_infer::quantization
