// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace kuiper_infer {

/// "300", "-1e-09": a number in a message, in its shortest form of up to ten digits.
inline std::string NumberString(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", number);
  return text;
}

/// "(2,-3)", for messages about lists of numbers in a file. ShapeString is for shapes of operands, and writes negative
/// extents as "?", because they are free.
inline std::string NumbersString(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "(" + text + ")";
}

}  // namespace kuiper_infer
