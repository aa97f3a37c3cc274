// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// Bytes of a text, from `begin` to before `end`.
struct Range {
  std::size_t begin;
  std::size_t end;

  std::string_view Of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool empty() const { return begin == end; }
};

/// The characters of words, for classes: Unicode's \w, with the characters that join letters.
constexpr const char* kWordCharacters = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D})";

/// A regular expression over characters, compiled once. Any number of threads may use it at once.
class Regex {
 public:
  /// Compiles a pattern in Oniguruma's syntax, which tokenizers are written in. Throws Error(kUnsupported) that begins
  /// with `place` for a pattern that is wrong, or uses what PCRE2 lacks.
  Regex(const std::string& pattern, const std::string& place);

  /// Appends the matches in a text, which is UTF-8, in order. Throws Error(kUnsupported) if the search takes too many
  /// steps or too much memory.
  void FindAll(std::string_view text, std::vector<Range>& matches) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace kuiper_infer::text
