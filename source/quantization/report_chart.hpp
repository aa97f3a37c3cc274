// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/report.hpp"

namespace kuiper_infer::quantization {

/// The report as an SVG picture: for each layer a bar as long as its signal-to-noise ratio is high, and, where they are
/// known, two as long as its times.
std::string DrawReport(const Report& report, const std::string& title);

}  // namespace kuiper_infer::quantization
