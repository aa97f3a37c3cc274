// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kuiper_infer/runtime/session.hpp"
#include "text/generation/decoder_facts.hpp"
#include "text/generation/kept_prefixes.hpp"

namespace kuiper_infer::text {

/// A session of a decoder, and the tokens that it has computed.
class TokenState {
 public:
  /// Runs have these numbers of tokens, or that of prompt_chunk: a session has a plan for each number, and keeps four.
  static constexpr int64_t kStep = 1;
  static constexpr int64_t kGuesses = 8;  ///< a token and up to 7 guesses
  static constexpr int64_t kShort = 32;

  TokenState(DecoderFacts facts, Session session) : facts_(std::move(facts)), session_(std::move(session)) {}

  const DecoderFacts& facts() const { return facts_; }
  const std::vector<int64_t>& tokens() const { return tokens_; }

  /// Forgets all but the tokens with which `tokens` begins too, or takes the states of a kept prefix if that is longer.
  /// Returns their number, less than that of `tokens`.
  int64_t KeepCommon(const std::vector<int64_t>& tokens, const KeptPrefixes& prefixes);
  /// Forgets all tokens but the first ones.
  void Truncate(int64_t count);
  void Reset();

  /// Computes some of `count` tokens that follow those of the state, at most `chunk`, and returns how many. The last
  /// one of the `count` tokens is computed alone; its logits are then logits(0).
  int64_t RunSome(const int64_t* tokens, int64_t count, int64_t chunk, const RunOptions& options);
  /// Computes a token and guesses that may follow it, together at most kGuesses. The logits of the `i`th are logits(i).
  /// A model without all_logits computes one token only.
  void Run(const std::vector<int64_t>& tokens, const RunOptions& options);
  /// Logits of the last run, which are valid until the next one.
  const float* logits(int64_t i) const;

  StateSnapshot Snapshot() const { return session_.Snapshot(); }

 private:
  /// One run, with the last token repeated up to `padded` tokens; what was repeated is forgotten.
  void RunPadded(const int64_t* tokens, int64_t count, int64_t padded, const RunOptions& options);

  DecoderFacts facts_;
  Session session_;
  std::vector<int64_t> tokens_;
  std::vector<int64_t> given_;  ///< of the last run
  NdArray logits_;
};

}  // namespace kuiper_infer::text
