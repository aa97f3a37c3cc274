// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kuiper_infer {

/// "(2,-3)", for messages about lists of numbers that a file gives. ShapeString, for shapes that an operand has, writes
/// negative extents, which are free ones, as "?".
inline std::string NumbersString(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "(" + text + ")";
}

}  // namespace kuiper_infer
