// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "quantization/observation/samples.hpp"
#include "quantization/report/report.hpp"
#include "quantization/search/candidate.hpp"
#include "quantization/search/gate.hpp"

namespace kuiper_infer::quantization {

struct Settings {
  Observer observer;
  WeightRounding rounding = WeightRounding::kByRow;
  std::optional<Gate> gate;            ///< none: only times keep layers in float
  bool timed = true;                   ///< whether layers that are not faster on this CPU stay in float
  std::optional<int64_t> answer_axis;  ///< `axis` of CompareOutputs for the figures in the report
};

struct QuantizedModel {
  std::unique_ptr<pnnx::Graph> graph;
  Report report;
};

/// Quantises convolutions and linear layers to 8 bits, and the arrays that they read to grids that the samples suggest.
///
/// If the CPU computes in integers, layers that are not faster in integers stay in float. If the gate does not hold,
/// the layers whose rounding costs the outputs most stay in float, too, until it holds. Throws Error(kArgument) if
/// there is nothing to quantise, or if the float model itself does not pass the gate. Throws Error(kInput) if a sample
/// makes the model compute with anything but finite numbers (the error names the sample), or if all samples show only
/// zeros.
QuantizedModel QuantizeModel(const FloatModel& model, const Samples& samples, const Settings& settings,
                             const Progress& progress);

}  // namespace kuiper_infer::quantization
