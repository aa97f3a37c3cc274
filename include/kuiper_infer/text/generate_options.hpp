// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../runtime/run_options.hpp"
#include "sampling.hpp"

namespace kuiper_infer::text {

/// Why an answer ended.
enum class FinishReason {
  kNone,       ///< it goes on
  kStop,       ///< the model ended it, or a stop string or token came
  kLength,     ///< max_tokens, or the model's maximum
  kCancelled,  ///< GenerateOptions::cancel was requested
  kDeadline,   ///< GenerateOptions::deadline has passed
};

/// "stop", "length", "cancelled" and "deadline"; empty for kNone.
const char* FinishReasonName(FinishReason reason);

/// Options of one answer.
struct GenerateOptions {
  SamplingOptions sampling;
  /// The most tokens of the answer; 0: as many as the model has room for.
  int64_t max_tokens = 0;
  /// Texts that end the answer; they are not part of it. Text that may be the beginning of one of them is held back
  /// until the next tokens show that it is not.
  std::vector<std::string> stop;
  /// Tokens that end the answer, in addition to those that the tokenizer and the chat template name.
  std::vector<int64_t> stop_tokens;
  /// Whether the answer goes on after tokens that would end it: for measurements.
  bool ignore_endings = false;
  std::optional<CancelToken> cancel;                              ///< a request to end the answer
  std::optional<std::chrono::steady_clock::time_point> deadline;  ///< when the answer has to end
  /// Called while the prompt is computed, with the tokens that are done and all tokens of the prompt.
  std::function<void(int64_t done, int64_t total)> progress;
  /// The most tokens of the prompt in one run. Larger runs are faster; memory grows with them.
  int64_t prompt_chunk = 256;
  /// The most tokens that are guessed at a time by looking up the last tokens in the text so far, 0 to 7; 0: off. A run
  /// then verifies all of them. It is faster if the answer quotes the prompt. The model has to be exported with
  /// logits="all".
  int64_t lookup = 0;
};

/// A part of an answer as it comes.
struct Piece {
  std::string text;                           ///< whole characters; empty if the token completes none
  int64_t token = -1;                         ///< -1 if the answer ended without another token
  std::optional<LogProbabilities> logprobs;   ///< if SamplingOptions::logprobs is not 0 and there is a token
  FinishReason finish = FinishReason::kNone;  ///< set in the last piece
};

/// Figures of one answer.
struct AnswerFigures {
  int64_t prompt_tokens = 0;
  int64_t kept_tokens = 0;  ///< tokens of the prompt that did not have to be computed
  int64_t tokens = 0;       ///< of the answer, the one that ended it included
  double prompt_seconds = 0;
  double seconds = 0;    ///< from the first token on
  int64_t guessed = 0;   ///< tokens that were looked up
  int64_t accepted = 0;  ///< those of them that are in the answer

  /// Tokens behind the first one, per second; 0 if there are none.
  double tokens_per_second() const { return tokens > 1 && seconds > 0 ? static_cast<double>(tokens - 1) / seconds : 0; }
};

}  // namespace kuiper_infer::text
