// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"

namespace kuiper_infer::quantization {

/// Runs the float model on all samples twice: first for the extremes of these operands, then for histograms between the
/// extremes. Throws Error(kInput) that names the sample and the operand if an operand holds a NaN or an infinity.
Histograms Observe(const FloatModel& model, const std::vector<std::string>& operands, const Samples& samples,
                   const Progress& progress);

/// All operands that may be rounded, whichever of these layers are quantised: those that are rounded if all layers are,
/// and the terms of sums.
std::vector<std::string> OperandsToObserve(const pnnx::Graph& graph, const std::set<std::string>& layers);

}  // namespace kuiper_infer::quantization
