// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer::text {

/// Guesses the next tokens of an answer: those that followed the last tokens where they came before. Guesses that turn
/// out wrong cost time, so after a failure it waits, each time twice as long.
class PromptLookup {
 public:
  /// At most `most` guesses at a time; 0: none at all.
  explicit PromptLookup(int64_t most) : most_(most) {}

  /// The tokens that may follow; empty if there is nothing to go by. `tokens` are prompt and answer.
  std::vector<int64_t> Guess(const std::vector<int64_t>& tokens);
  /// Tells how many of the guesses were right.
  void Note(std::size_t guessed, std::size_t right);

 private:
  int64_t most_;
  int64_t wait_ = 0;       ///< tokens until the next guess
  int64_t next_wait_ = 1;  ///< after the next failure
};

}  // namespace kuiper_infer::text
