// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// Runs the float model on all samples, twice: for the extremes of these operands, then for how often numbers between
/// them occur. Throws Error(kInput) that names the sample and the operand where one holds a NaN or an infinity.
Histograms Observe(const FloatModel& model, const std::vector<std::string>& operands, const Samples& samples,
                   const Progress& progress);

/// The operands that are rounded in some choice of these layers: where all are quantised, and the terms of sums.
std::vector<std::string> OperandsToObserve(const pnnx::Graph& graph, const std::set<std::string>& layers);

}  // namespace kuiper_infer::quantization
