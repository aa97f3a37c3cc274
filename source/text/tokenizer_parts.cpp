// SPDX-License-Identifier: MIT
#include "text/tokenizer_parts.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {

void TokenizerParts::Complete() {
  size = model->vocabulary().size();
  for (const AddedToken& token : added.tokens()) size = std::max(size, token.token + 1);
  std::vector<int64_t> tokens = post_processor.before();
  tokens.insert(tokens.end(), post_processor.behind().begin(), post_processor.behind().end());
  tokens.insert(tokens.end(), endings.begin(), endings.end());
  if (beginning) tokens.push_back(*beginning);
  for (const int64_t token : tokens) {
    if (token >= size) {
      throw Error(ErrorCode::kFile,
                  name + ": token " + std::to_string(token) + ", expected one below " + std::to_string(size));
    }
  }
}

void TokenizerParts::AppendAll(std::string_view text, const std::vector<Range>& special,
                               std::vector<int64_t>& tokens) const {
  for (const Section& section : added.Divide(text, false, special)) {
    if (section.token >= 0) {
      tokens.push_back(section.token);
      continue;
    }
    std::string between(section.range.Of(text));
    if (normalizer) normalizer->Apply(between);
    // Normalising moves the ends of ranges, so special tokens are found here only if the whole section may have them.
    std::vector<Range> allowed;
    if (LiesIn(section.range, special)) allowed.push_back({0, between.size()});
    for (const Section& part : added.Divide(between, true, allowed)) {
      if (part.token >= 0) {
        tokens.push_back(part.token);
      } else {
        const bool at_start = section.range.begin == 0 && part.range.begin == 0;
        AppendTokens(std::string(part.range.Of(between)), at_start, tokens);
      }
    }
  }
}

void TokenizerParts::AppendTokens(std::string text, bool at_start, std::vector<int64_t>& tokens) const {
  Pieces pieces{std::move(text), {}, at_start};
  if (pieces.text.empty()) return;
  pieces.ranges.push_back({0, pieces.text.size()});
  if (pre_tokenizer) pre_tokenizer->Apply(pieces);
  for (const Range& range : pieces.ranges) model->Append(range.Of(pieces.text), tokens);
}

const std::string& TokenizerParts::Name(int64_t token) const {
  if (token < 0 || token >= size) {
    throw Error(ErrorCode::kInput,
                name + ": token " + std::to_string(token) + ", expected one from 0 to " + std::to_string(size - 1));
  }
  if (const AddedToken* const found = added.Find(token)) return found->name;
  static const std::string kNone;
  return token < model->vocabulary().size() ? model->vocabulary().Name(token) : kNone;
}

bool TokenizerParts::IsSpecial(int64_t token) const { return added.IsSpecial(Name(token)); }

std::optional<int64_t> TokenizerParts::Find(std::string_view token) const {
  if (const AddedToken* const found = added.Find(token)) return found->token;
  const int32_t number = model->vocabulary().Find(token);
  return number < 0 ? std::nullopt : std::optional<int64_t>(number);
}

}  // namespace kuiper_infer::text
