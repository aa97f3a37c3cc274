// SPDX-License-Identifier: MIT
#include "text/added_tokens.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "text/characters.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// The start of the last character of a text.
std::size_t LastStart(std::string_view text) {
  std::size_t start = text.size() - 1;
  while (IsContinuation(text[start])) --start;
  return start;
}

bool IsWordCharacter(std::string_view character) {
  static const Regex kWord("[" + std::string(kWordCharacters) + "]", "words");
  std::vector<Range> matches;
  kWord.FindAll(character, matches);
  return !matches.empty();
}

bool IsWithinWord(std::string_view text, const Range& match) {
  if (match.begin > 0 && IsWordCharacter(text.substr(LastStart(text.substr(0, match.begin)), match.begin))) return true;
  return match.end < text.size() && IsWordCharacter(text.substr(match.end, CharacterSize(text[match.end])));
}

/// The match with the white space that the token takes, but nothing before `least`.
Range Widen(const AddedToken& token, std::string_view text, Range match, std::size_t least) {
  while (token.takes_left && match.begin > least) {
    const std::size_t start = LastStart(text.substr(0, match.begin));
    if (!IsWhiteSpace(FirstStep(text.substr(start)).code)) break;
    match.begin = std::max(start, least);
  }
  while (token.takes_right && match.end < text.size()) {
    const Utf8Step step = FirstStep(text.substr(match.end));
    if (!IsWhiteSpace(step.code)) break;
    match.end += step.size;
  }
  return match;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer) : tokens_(std::move(tokens)) {
  std::vector<std::string> normalized_names(tokens_.size());
  std::vector<ByteTrie::Entry> raw;
  std::vector<ByteTrie::Entry> normalized;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const AddedToken& token = tokens_[i];
    by_number_[token.token] = i;
    by_name_[token.name] = i;
    if (!token.normalized) {
      raw.emplace_back(token.name, static_cast<int32_t>(i));
      continue;
    }
    normalized_names[i] = token.name;
    if (normalizer != nullptr) normalizer->Apply(normalized_names[i]);
    normalized.emplace_back(normalized_names[i], static_cast<int32_t>(i));
  }
  raw_ = ByteTrie(std::move(raw));
  normalized_ = ByteTrie(std::move(normalized));
}

const AddedToken* AddedTokens::Find(int64_t token) const {
  const auto found = by_number_.find(token);
  return found == by_number_.end() ? nullptr : &tokens_[found->second];
}

const AddedToken* AddedTokens::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &tokens_[found->second];
}

bool AddedTokens::IsSpecial(std::string_view name) const {
  const AddedToken* const found = Find(name);
  return found != nullptr && found->special;
}

bool LiesIn(const Range& inner, const std::vector<Range>& ranges) {
  const auto after = std::partition_point(ranges.begin(), ranges.end(),
                                          [&](const Range& range) { return range.begin <= inner.begin; });
  return after != ranges.begin() && inner.end <= std::prev(after)->end;
}

std::vector<Section> AddedTokens::Divide(std::string_view text, bool normalized,
                                         const std::vector<Range>& special) const {
  const ByteTrie& trie = normalized ? normalized_ : raw_;
  std::vector<Section> sections;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    Range match{at, at};
    int32_t index = -1;
    trie.ForEachPrefix(text.substr(at), [&](std::size_t size, int32_t value) {
      match.end = at + size;
      index = value;
    });
    at = index < 0 ? at + 1 : match.end;
    if (index < 0) continue;
    const AddedToken& token = tokens_[static_cast<std::size_t>(index)];
    if ((token.special && !LiesIn(match, special)) || (token.single_word && IsWithinWord(text, match))) continue;
    match = Widen(token, text, match, done);
    if (done < match.begin) sections.push_back({{done, match.begin}, -1});
    sections.push_back({match, token.token});
    done = match.end;
  }
  if (done < text.size()) sections.push_back({{done, text.size()}, -1});
  return sections;
}

std::vector<AddedToken> ReadAddedTokens(const JsonPart& part) {
  std::vector<AddedToken> tokens;
  for (const JsonPart& element : part.Elements()) {
    AddedToken token;
    token.token = element.At("id").Number(0, std::numeric_limits<int32_t>::max());
    token.name = element.At("content").Text();
    token.special = element.Bool("special", false);
    token.single_word = element.Bool("single_word", false);
    token.takes_left = element.Bool("lstrip", false);
    token.takes_right = element.Bool("rstrip", false);
    token.normalized = element.Bool("normalized", !token.special);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace kuiper_infer::text
