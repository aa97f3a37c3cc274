// SPDX-License-Identifier: MIT
#include "text/chat/white_space.hpp"

#include <algorithm>
#include <array>

namespace kuiper_infer::text {
namespace {

using namespace std::string_view_literals;

/// White space of one byte, and the other characters that Python's str.isspace knows.
constexpr std::string_view kBytes = "\t\n\v\f\r\x1c\x1d\x1e\x1f ";
constexpr std::array kCharacters = {"\u0085"sv, "\u00a0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv, "\u2002"sv, "\u2003"sv,
                                    "\u2004"sv, "\u2005"sv, "\u2006"sv, "\u2007"sv, "\u2008"sv, "\u2009"sv, "\u200a"sv,
                                    "\u2028"sv, "\u2029"sv, "\u202f"sv, "\u205f"sv, "\u3000"sv};

}  // namespace

std::string_view TrimEnd(std::string_view text) {
  while (!text.empty()) {
    const auto ends = [&](std::string_view space) {
      return text.size() >= space.size() && text.substr(text.size() - space.size()) == space;
    };
    const auto found = std::find_if(kCharacters.begin(), kCharacters.end(), ends);
    const bool byte = kBytes.find(text.back()) != std::string_view::npos;
    if (!byte && found == kCharacters.end()) break;
    text.remove_suffix(byte ? 1 : found->size());
  }
  return text;
}

std::string_view Trim(std::string_view text) {
  text = TrimEnd(text);
  while (!text.empty()) {
    const auto begins = [&](std::string_view space) { return text.substr(0, space.size()) == space; };
    const auto found = std::find_if(kCharacters.begin(), kCharacters.end(), begins);
    const bool byte = kBytes.find(text.front()) != std::string_view::npos;
    if (!byte && found == kCharacters.end()) break;
    text.remove_prefix(byte ? 1 : found->size());
  }
  return text;
}

}  // namespace kuiper_infer::text
