// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kuiper_infer::text {

/// The text without white space at its end, as Python's str.rstrip: the characters of Unicode that are spaces. Bytes
/// that are not UTF-8 are no white space.
std::string_view TrimEnd(std::string_view text);

/// The text without white space at both ends.
std::string_view Trim(std::string_view text);

}  // namespace kuiper_infer::text
