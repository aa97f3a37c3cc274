// SPDX-License-Identifier: MIT
// The runs of an Answer; what becomes of their tokens is in answer.cpp.
#include <algorithm>

#include "text/generation/answer_impl.hpp"

namespace kuiper_infer::text {
namespace {

/// Logits that differ by less may change places if a run has several tokens.
constexpr double kNearTie = 1.0 / 32;
/// The longest chunk for a model with logits for all tokens: it computes and stores them for each token of a chunk.
constexpr int64_t kChunkOfAllLogits = TokenState::kShort;

}  // namespace

void Answer::Impl::ComputePrompt() {
  begun_ = true;
  const Clock::time_point start = Clock::now();
  TokenState& state = conversation_->state;
  const std::vector<int64_t>& prompt = prompt_.tokens;
  sampler_.AddPrompt(prompt_.tokens);
  int64_t done = state.KeepCommon(prompt, *conversation_->prefixes);
  figures_.kept_tokens = done;
  const bool keep = done < prompt_.shared && prompt_.shared < figures_.prompt_tokens;
  const int64_t chunk =
      state.facts().all_logits ? std::min(options_.prompt_chunk, kChunkOfAllLogits) : options_.prompt_chunk;
  while (done < figures_.prompt_tokens) {
    // RunSome leaves its last token for another run. With one token more, a run ends behind the shared tokens.
    const int64_t end = keep && done < prompt_.shared ? prompt_.shared + 1 : figures_.prompt_tokens;
    done += state.RunSome(prompt.data() + done, end - done, chunk, RunOptionsOf());
    if (keep && done == prompt_.shared) conversation_->prefixes->Keep({state.tokens(), state.Snapshot()});
    if (options_.progress) options_.progress(done, figures_.prompt_tokens);
  }
  Choose(0, true);
  figures_.prompt_seconds = std::chrono::duration<double>(Clock::now() - start).count();
}

void Answer::Impl::ComputeTokens() {
  TokenState& state = conversation_->state;
  std::vector<int64_t> run = {tokens_.back()};
  std::vector<int64_t> guesses = next_alone_ ? std::vector<int64_t>() : lookup_.Guess(tokens_);
  next_alone_ = false;
  const int64_t most = state.facts().max_length;
  const int64_t room = most > 0 ? most - static_cast<int64_t>(tokens_.size()) : static_cast<int64_t>(guesses.size());
  if (static_cast<int64_t>(guesses.size()) > room) guesses.resize(static_cast<std::size_t>(room));
  run.insert(run.end(), guesses.begin(), guesses.end());
  const auto before = static_cast<int64_t>(state.tokens().size());
  state.Run(run, RunOptionsOf());
  std::size_t right = 0;
  for (;;) {
    if (!Choose(static_cast<int64_t>(right), guesses.empty())) {
      next_alone_ = true;  // the token before the choice is computed again
      state.Truncate(before + static_cast<int64_t>(right));
      break;
    }
    const bool ended = prompt_.endings.count(tokens_.back()) > 0;
    if (ended || right == guesses.size() || tokens_.back() != guesses[right]) {
      state.Truncate(before + 1 + static_cast<int64_t>(right));
      break;
    }
    ++right;
  }
  lookup_.Note(guesses.size(), right);
  figures_.guessed += static_cast<int64_t>(guesses.size());
  figures_.accepted += static_cast<int64_t>(right);
}

bool Answer::Impl::Choose(int64_t row, bool alone) {
  const float* const logits = conversation_->state.logits(row);
  const int64_t token = sampler_.Sample(logits);
  if (!alone && sampler_.Margin() < kNearTie) return false;
  sampler_.Add(token);
  tokens_.push_back(token);
  Piece& chosen = chosen_.emplace_back();
  chosen.token = token;
  if (const int64_t count = options_.sampling.logprobs; count > 0) {
    chosen.logprobs = LogProbabilitiesOf(logits, conversation_->Vocabulary(), token, count);
  }
  return true;
}

}  // namespace kuiper_infer::text
