// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// Text from a broken file for a message: at most 40 characters, '?' for what is not printable ASCII.
inline std::string Shorten(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::string shown;
  for (const char c : text.substr(0, kMost)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kMost ? "..." : "");
}

}  // namespace kuiper_infer
