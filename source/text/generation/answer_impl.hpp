// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "text/generation/conversation.hpp"
#include "text/generation/prompt_lookup.hpp"
#include "text/generation/stop_filter.hpp"

namespace kuiper_infer::text {

struct Answer::Impl {
 public:
  Impl(std::shared_ptr<Conversation> conversation, TokenPrompt prompt, GenerateOptions options);

  bool Next(Piece& piece);
  const AnswerFigures& figures() const { return figures_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Sets `piece` to the next one. Errors of runs that were stopped come through.
  void Compute(Piece& piece);
  void ComputePrompt();
  void ComputeTokens();
  /// Chooses a token by the logits of the last run. Returns false, and chooses nothing, if the run had several tokens
  /// and two tokens are as good as equal: the products of such a run are rounded in another way.
  bool Choose(int64_t row, bool alone);
  RunOptions RunOptionsOf() const;
  /// What is left of the text, with the reason for the end.
  void End(FinishReason reason, Piece& piece);
  bool IsFull() const;

  std::shared_ptr<Conversation> conversation_;
  TokenPrompt prompt_;
  const GenerateOptions options_;
  const uint64_t number_;  ///< of the answer, among those of the generator
  Sampler sampler_;
  StreamDecoder decoder_;
  StopFilter filter_;
  PromptLookup lookup_;
  std::vector<int64_t> tokens_;  ///< of the prompt, and those of the answer that are chosen
  std::deque<Piece> chosen_;     ///< without text, and not given out yet
  bool begun_ = false;
  bool over_ = false;
  bool next_alone_ = false;  ///< the next run has to be of one token
  AnswerFigures figures_;
  Clock::time_point first_;  ///< when the first token came
};

}  // namespace kuiper_infer::text
