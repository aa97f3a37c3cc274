// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "text/json_part.hpp"
#include "text/pieces.hpp"
#include "text/regex.hpp"

namespace kuiper_infer::text {

/// What a text is divided at, or where something is replaced.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Appends the matches in a text, in order.
  virtual void FindAll(std::string_view text, std::vector<Range>& matches) const = 0;
};

/// Reads {"Regex": ...} or {"String": ...}.
std::unique_ptr<const Pattern> ReadPattern(const JsonPart& part);
std::unique_ptr<const Pattern> RegexPattern(const std::string& pattern, const std::string& place);
/// Each occurrence of a text that is not empty.
std::unique_ptr<const Pattern> LiteralPattern(std::string literal);
/// Each character with a property.
std::unique_ptr<const Pattern> CharacterPattern(bool (*has_property)(char32_t));

/// Writes `content` in the place of each match.
void ReplaceMatches(const Pattern& pattern, const std::string& content, std::string& text);

/// What becomes of matches, which divide a text.
enum class Division {
  kRemoved,             ///< nothing
  kIsolated,            ///< each is a piece
  kContiguous,          ///< successive ones are a piece together
  kMergedWithPrevious,  ///< each ends the piece before it
  kMergedWithNext,      ///< each begins the piece behind it
};
Division ReadDivision(const JsonPart& part);

/// Divides each piece. `inverted` swaps matches and what lies between them.
void Divide(const Pattern& pattern, Division division, bool inverted, Pieces& pieces);

}  // namespace kuiper_infer::text
