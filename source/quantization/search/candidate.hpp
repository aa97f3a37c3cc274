// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "quantization/grid_plan.hpp"
#include "quantization/observation/histogram.hpp"
#include "quantization/observation/observer.hpp"
#include "quantization/weight_rounding.hpp"

namespace kuiper_infer::quantization {

/// A float model: its two files, which are only read, and the options of its runs.
struct FloatModel {
  std::string param;
  std::string bin;
  BuildOptions build;

  /// Reads the graph with its weights, and brings its layers into one form (layer_forms.hpp).
  std::unique_ptr<pnnx::Graph> Load() const;
  /// Reads and builds the graph for runs.
  RuntimeGraph Build(std::unique_ptr<pnnx::Graph> graph) const;
};

/// The numbers that samples showed in the operands that may be rounded.
using Histograms = std::map<std::string, Histogram>;

/// The data for roundings: the user's choices, and the observations of the samples.
struct Calibration {
  Histograms histograms;
  Observer observer;
  /// Corrections of a quantised layer's bias, one for each output channel, so that rounding does not shift the mean.
  std::map<std::string, std::vector<float>> bias_shifts;
  WeightRounding rounding = WeightRounding::kByRow;
};

/// A model some of whose layers are quantised.
struct Candidate {
  std::unique_ptr<pnnx::Graph> graph;
  GridPlan plan;
  std::map<std::string, std::size_t> grid_of_rounding;  ///< index of a grid, by the name of the operator that rounds
};

/// Whether the samples showed any number but zero in operands that share a grid. If not, their range is unknown.
bool HasRange(const std::vector<std::string>& operands, const Calibration& calibration);

/// The grid of operands that share one and have a range.
kernel::QuantizationGrid GridOf(const std::vector<std::string>& operands, const Calibration& calibration);

/// Returns the float model with `layers` quantised. Operands share grids as they would if all layers of `sharing`,
/// which includes `layers`, were quantised: the operands of a concatenation that one of these layers reads share a
/// grid. Operands without a range are not rounded.
Candidate MakeCandidate(const FloatModel& model, const std::set<std::string>& layers,
                        const std::set<std::string>& sharing, const Calibration& calibration);

}  // namespace kuiper_infer::quantization
