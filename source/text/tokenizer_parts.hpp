// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/text/tokenizer.hpp"
#include "text/added_tokens.hpp"
#include "text/decoder.hpp"
#include "text/model.hpp"
#include "text/normalizer.hpp"
#include "text/post_processor.hpp"
#include "text/pre_tokenizer.hpp"

namespace kuiper_infer::text {

/// The parts of a tokenizer, in the order in which a text passes them.
struct TokenizerParts {
  NormalizerPtr normalizer;  ///< null: texts stay as they are
  AddedTokens added;
  PreTokenizerPtr pre_tokenizer;  ///< null: a text is one piece
  ModelPtr model;
  PostProcessor post_processor;
  DecoderPtr decoder;
  std::string name;  ///< of the file, for messages

  std::string chat_template;
  std::optional<int64_t> beginning;
  std::vector<int64_t> endings;

  int64_t size = 0;  ///< one more than the largest token

  /// Computes `size` and checks the tokens that the other parts name. Throws Error(kFile).
  void Complete();
  /// Appends the tokens of a well-formed text, in which special tokens are found within the ranges `special`.
  void AppendAll(std::string_view text, const std::vector<Range>& special, std::vector<int64_t>& tokens) const;
  /// Appends the tokens of a text without added tokens.
  void AppendTokens(std::string text, bool at_start, std::vector<int64_t>& tokens) const;
  const std::string& Name(int64_t token) const;
  bool IsSpecial(int64_t token) const;
  std::optional<int64_t> Find(std::string_view token) const;
};

}  // namespace kuiper_infer::text
