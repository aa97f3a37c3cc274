// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kuiper_infer::cli {

/// The name that a mistyped word most probably stands for: the name that takes the fewest inserted, removed or replaced
/// letters. Empty if there are no names.
std::string NearestName(const std::string& word, const std::vector<std::string>& names);

}  // namespace kuiper_infer::cli
