// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "quantization/candidate.hpp"
#include "quantization/gate.hpp"
#include "quantization/report.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

struct Settings {
  Observer observer;
  WeightRounding rounding = WeightRounding::kByRow;
  std::optional<Gate> gate;            ///< none: only times keep layers in float
  bool timed = true;                   ///< layers that are not faster on this CPU stay in float
  std::optional<int64_t> answer_axis;  ///< of the figures in the report, as CompareOutputs takes it
};

struct QuantizedModel {
  std::unique_ptr<pnnx::Graph> graph;
  Report report;
};

/// Quantises convolutions and linear layers to 8 bits, and the arrays that they read by what the samples show.
///
/// Layers stay in float where the CPU computes the others in integers and is not faster on them, and, until the gate
/// holds, those whose rounding alone costs the outputs most. Throws Error(kArgument) where there is nothing to
/// quantise, or the gate doesn't hold for the float model itself; Error(kInput) that names the sample where it makes
/// the model compute with anything but finite numbers, or where the samples show nothing but zeros.
QuantizedModel QuantizeModel(const FloatModel& model, const Samples& samples, const Settings& settings,
                             const Progress& progress);

}  // namespace kuiper_infer::quantization
