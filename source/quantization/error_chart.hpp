// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "quantization/report.hpp"

namespace kuiper_infer::quantization {

/// The report as an SVG picture: a bar for each layer, as long as its signal-to-noise ratio is high.
std::string DrawErrors(const Report& report, const std::string& title);

}  // namespace kuiper_infer::quantization
