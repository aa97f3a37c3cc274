// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kuiper_infer/text/sampling.hpp"

namespace kuiper_infer::text {

/// How often tokens occur in a prompt and in an answer, and the penalties that follow.
class TokenCounts {
 public:
  explicit TokenCounts(int64_t vocabulary) : occurs_(static_cast<std::size_t>(vocabulary)) {}

  void AddPrompt(int64_t token) { Note(token); }
  void Add(int64_t token) { ++Note(token); }

  /// Applies the penalties to the logits of the tokens that occur.
  void Penalise(const SamplingOptions& options, std::vector<float>& logits) const {
    const auto repetition = static_cast<float>(options.repetition_penalty);
    for (const int64_t token : distinct_) {
      float& logit = logits[static_cast<std::size_t>(token)];
      logit = logit < 0 ? logit * repetition : logit / repetition;
      const int32_t count = occurs_[static_cast<std::size_t>(token)] - kNoted;
      if (count == 0) continue;
      logit -= static_cast<float>(options.frequency_penalty * count + options.presence_penalty);
    }
  }

 private:
  static constexpr int32_t kNoted = 1;  ///< added to the count of a token that occurs anywhere

  int32_t& Note(int64_t token) {
    int32_t& occurs = occurs_[static_cast<std::size_t>(token)];
    if (occurs == 0) {
      distinct_.push_back(token);
      occurs = kNoted;
    }
    return occurs;
  }

  std::vector<int32_t> occurs_;    ///< by token: 0, or the count in the answer plus kNoted
  std::vector<int64_t> distinct_;  ///< the tokens that occur
};

}  // namespace kuiper_infer::text
