// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer {

/// The names that PrecisionOf knows, the most exact level first.
std::vector<std::string> PrecisionNames();

/// The level's name.
std::string PrecisionName(Precision precision);

}  // namespace kuiper_infer
