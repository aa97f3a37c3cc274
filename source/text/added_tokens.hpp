// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/byte_trie.hpp"
#include "text/json_part.hpp"
#include "text/normalizer.hpp"
#include "text/regex.hpp"

namespace kuiper_infer::text {

/// A token that is found in the text itself, before the model sees what lies between.
struct AddedToken {
  int64_t token;
  std::string name;
  bool special = false;      ///< it stands for no text
  bool single_word = false;  ///< it is found only where no word continues on either side
  bool takes_left = false;   ///< it takes the white space before it
  bool takes_right = false;  ///< it takes the white space behind it
  bool normalized = false;   ///< it is looked for in the normalised text
};

/// A part of a text: a token, or a text without added tokens.
struct Section {
  Range range;
  int64_t token;  ///< -1 for a text
};

/// Whether a range lies in one of `ranges`, which are in order.
bool LiesIn(const Range& inner, const std::vector<Range>& ranges);

class AddedTokens {
 public:
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer);
  AddedTokens(AddedTokens&&) = default;
  AddedTokens& operator=(AddedTokens&&) = default;

  const std::vector<AddedToken>& tokens() const { return tokens_; }
  /// Null if there is no added token of that number, or name.
  const AddedToken* Find(int64_t token) const;
  const AddedToken* Find(std::string_view name) const;
  bool IsSpecial(std::string_view name) const;

  /// Divides a text at added tokens. If several begin at the same place, the longest counts. `normalized` chooses the
  /// tokens that belong to the normalised text. Special tokens count only within the ranges `special`, which are in
  /// order. A text that has no section with tokens is one section.
  std::vector<Section> Divide(std::string_view text, bool normalized, const std::vector<Range>& special) const;

 private:
  std::vector<AddedToken> tokens_;
  std::unordered_map<int64_t, std::size_t> by_number_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  ByteTrie raw_;         ///< indices of the tokens that are looked for in the text as it is
  ByteTrie normalized_;  ///< indices of those for the normalised text
};

/// Reads the part `added_tokens` of a tokenizer.json.
std::vector<AddedToken> ReadAddedTokens(const JsonPart& part);

}  // namespace kuiper_infer::text
