// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/report.hpp"

namespace kuiper_infer::quantization {

/// The report as an SVG picture: for each layer a bar as long as its signal-to-noise ratio is high, and, where they are
/// known, two as long as its times and as its weights' bytes, in the float model and in the quantised one.
std::string DrawReport(const Report& report, const std::string& title);

}  // namespace kuiper_infer::quantization
