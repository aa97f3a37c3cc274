// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "quantization/grid_plan.hpp"
#include "quantization/histogram.hpp"
#include "quantization/observer.hpp"
#include "quantization/weight_rounding.hpp"

namespace kuiper_infer::quantization {

/// A float model: its two files, which are only read, and how it is run.
struct FloatModel {
  std::string param;
  std::string bin;
  BuildOptions build;

  /// The graph with its weights, read anew; its layers have one form each (layer_forms.hpp).
  std::unique_ptr<pnnx::Graph> Load() const;
  /// The graph, built to be run.
  RuntimeGraph Build(std::unique_ptr<pnnx::Graph> graph) const;
};

/// What samples tell of the operands that may be rounded.
using Histograms = std::map<std::string, Histogram>;

/// How numbers are rounded: as the user chose, and by what was learnt from samples.
struct Calibration {
  Histograms histograms;
  Observer observer;
  /// What is added to each output channel's bias of a quantised layer, so that rounding doesn't move its mean.
  std::map<std::string, std::vector<float>> bias_shifts;
  WeightRounding rounding = WeightRounding::kByRow;
};

/// A model some of whose layers are quantised.
struct Candidate {
  std::unique_ptr<pnnx::Graph> graph;
  GridPlan plan;
  std::map<std::string, std::size_t> grid_of_rounding;  ///< by the names of the operators that round
};

/// Whether the samples show any number but zero in operands that share a grid; else nothing tells their range.
bool HasRange(const std::vector<std::string>& operands, const Calibration& calibration);

/// The grid of operands that share one, and have a range.
kernel::QuantizationGrid GridOf(const std::vector<std::string>& operands, const Calibration& calibration);

/// The float model with these layers quantised. Their grids are as wide as if all of `sharing`, to which they belong,
/// were: operands that are joined for one of those share one. Operands without a range are not rounded.
Candidate MakeCandidate(const FloatModel& model, const std::set<std::string>& layers,
                        const std::set<std::string>& sharing, const Calibration& calibration);

}  // namespace kuiper_infer::quantization
