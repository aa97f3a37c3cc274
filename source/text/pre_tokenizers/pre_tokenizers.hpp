// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "text/pattern.hpp"
#include "text/pre_tokenizer.hpp"

namespace kuiper_infer::text {

/// Applies several pre-tokenizers, one after the other.
PreTokenizerPtr PreTokenizerSequence(std::vector<PreTokenizerPtr> steps);
/// Cuts at the matches of a pattern.
PreTokenizerPtr PatternSplit(std::unique_ptr<const Pattern> pattern, Division division, bool inverted);
/// Cuts a text into words and punctuation marks, and drops white space.
PreTokenizerPtr BertSplit();
/// Writes bytes in GPT-2's alphabet. With `prefix_space`, pieces that don't begin with a space get one; with
/// `use_regex`, they are cut as GPT-2 does.
PreTokenizerPtr ByteLevelSplit(bool prefix_space, bool use_regex);

/// SentencePiece's way: a mark in the place of each space.
struct MetaspaceOptions {
  enum class Prepend { kAlways, kFirst, kNever };
  std::string mark;
  Prepend prepend = Prepend::kAlways;  ///< which pieces get a mark in front if they don't begin with one
  bool split = true;                   ///< whether each mark begins a piece
};
MetaspaceOptions ReadMetaspace(const JsonPart& part);
PreTokenizerPtr MetaspaceSplit(MetaspaceOptions options);

}  // namespace kuiper_infer::text
