// SPDX-License-Identifier: MIT
#include <utf8proc.h>

#include "data/little_endian.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// A double-array trie as the Darts library stores it: a node's children are at its offset, with the byte that leads
/// to them added without carry.
class DoubleArray {
 public:
  explicit DoubleArray(std::vector<uint32_t> units) : units_(std::move(units)) {}

  /// The value of the shortest key that begins a text; -1 if there is none. A broken trie has no keys.
  int64_t ShortestPrefix(std::string_view text) const {
    std::size_t node = 0;
    if (units_.empty()) return -1;
    node ^= Offset(units_[0]);
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      node ^= byte;
      if (byte == 0 || node >= units_.size() || (units_[node] & 0x800000FFU) != byte) return -1;
      const uint32_t unit = units_[node];
      node ^= Offset(unit);
      const bool has_value = ((unit >> 8) & 1U) != 0;
      if (has_value) return node < units_.size() ? int64_t{units_[node] & 0x7FFFFFFFU} : -1;
    }
    return -1;
  }

 private:
  static std::size_t Offset(uint32_t unit) { return std::size_t{unit >> 10} << ((unit & 0x200U) >> 6); }

  std::vector<uint32_t> units_;
};

/// Number of bytes of the user-perceived character at the start of a text.
std::size_t GraphemeSize(std::string_view text) {
  Utf8Step before = FirstStep(text);
  std::size_t size = before.size;
  utf8proc_int32_t state = 0;
  while (size < text.size()) {
    const Utf8Step next = FirstStep(text.substr(size));
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before.code),
                                         static_cast<utf8proc_int32_t>(next.code), &state)) {
      break;
    }
    size += next.size;
    before = next;
  }
  return size;
}

class Precompiled : public Normalizer {
 public:
  Precompiled(DoubleArray trie, std::string replacements)
      : trie_(std::move(trie)), replacements_(std::move(replacements)) {}

  /// Looks for a rule for each user-perceived character of less than 6 bytes. If there is none, or if it is longer,
  /// looks for rules for its characters. A rule for the start of either replaces all of it, as in `tokenizers`.
  void Apply(std::string& text) const override {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view grapheme =
          std::string_view(text).substr(at, GraphemeSize(std::string_view(text).substr(at)));
      at += grapheme.size();
      if (grapheme.size() < kLongestRule && AppendReplacement(grapheme, result)) continue;
      ForEachCharacter(grapheme, [&](char32_t, std::size_t start, std::size_t size) {
        const std::string_view character = grapheme.substr(start, size);
        if (!AppendReplacement(character, result)) result += character;
      });
    }
    text = std::move(result);
  }

 private:
  static constexpr std::size_t kLongestRule = 6;

  bool AppendReplacement(std::string_view text, std::string& result) const {
    const int64_t start = trie_.ShortestPrefix(text);
    if (start < 0 || start >= static_cast<int64_t>(replacements_.size())) return false;
    result += replacements_.c_str() + start;  // it ends with a zero
    return true;
  }

  DoubleArray trie_;
  std::string replacements_;
};

}  // namespace

NormalizerPtr PrecompiledNormalizer(std::string_view charsmap, const std::string& place) {
  FieldReader fields(charsmap);
  const auto fail = [&](const std::string& what) { throw Error(ErrorCode::kFile, place + ": " + what); };
  if (fields.left() < 4) fail("has no size of its trie");
  const uint32_t bytes = fields.U32();
  if (bytes % 4 != 0 || bytes > fields.left()) {
    fail("a trie of " + std::to_string(bytes) + " bytes, expected whole words within " + std::to_string(fields.left()));
  }
  std::vector<uint32_t> units(bytes / 4);
  for (uint32_t& unit : units) unit = fields.U32();
  std::string replacements(fields.Text(fields.left()));
  if (WellFormedSize(replacements) < replacements.size()) fail("the replacements are not UTF-8");
  return std::make_unique<Precompiled>(DoubleArray(std::move(units)), std::move(replacements));
}

}  // namespace kuiper_infer::text
