// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/report/report.hpp"

namespace kuiper_infer::quantization {

/// The report as an SVG picture. Each layer has a bar for its signal-to-noise ratio and, if they are known, two bars
/// for its times and two for the bytes of its weights, in the float model and in the quantised model.
std::string DrawReport(const Report& report, const std::string& title);

}  // namespace kuiper_infer::quantization
