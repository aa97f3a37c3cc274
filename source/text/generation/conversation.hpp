// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kuiper_infer/text/generator.hpp"
#include "text/generation/kept_prefixes.hpp"
#include "text/generation/token_state.hpp"

namespace kuiper_infer::text {

/// A prompt as tokens.
struct TokenPrompt {
  std::vector<int64_t> tokens;
  int64_t shared = 0;         ///< the first tokens, which other conversations have too; 0: none
  std::set<int64_t> endings;  ///< tokens that end the answer
};

/// What a generator holds.
struct Conversation {
  Conversation(Model given_model, Tokenizer given_tokenizer, std::optional<ChatTemplate> given_chat,
               std::shared_ptr<KeptPrefixes> given_prefixes)
      : model(std::move(given_model)),
        tokenizer(std::move(given_tokenizer)),
        chat(std::move(given_chat)),
        prefixes(std::move(given_prefixes)),
        state(FactsOf(model), model.NewSession()) {}

  /// The number of tokens that may be chosen: some models have logits for more tokens than the tokenizer knows.
  int64_t Vocabulary() const { return std::min(state.facts().vocabulary, tokenizer.size()); }
  std::set<int64_t> Endings(const GenerateOptions& options) const;
  TokenPrompt ChatPrompt(const std::vector<ChatMessage>& messages, const GenerateOptions& options);
  /// Throws Error(kInput) or Error(kUnsupported) for what the model cannot do.
  void Check(const TokenPrompt& prompt, const GenerateOptions& options) const;

  const Model model;
  const Tokenizer tokenizer;
  std::optional<ChatTemplate> chat;
  const std::shared_ptr<KeptPrefixes> prefixes;
  TokenState state;
  uint64_t answers = 0;  ///< that have begun
};

}  // namespace kuiper_infer::text
