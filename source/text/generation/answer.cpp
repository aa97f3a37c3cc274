// SPDX-License-Identifier: MIT
#include "kuiper_infer/utils/error.hpp"
#include "text/generation/answer_impl.hpp"

namespace kuiper_infer::text {
const char* FinishReasonName(FinishReason reason) {
  switch (reason) {
    case FinishReason::kNone:
      return "";
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "cancelled";
    case FinishReason::kDeadline:
      return "deadline";
  }
  return "";
}

Answer::Impl::Impl(std::shared_ptr<Conversation> conversation, TokenPrompt prompt, GenerateOptions options)
    : conversation_((conversation->Check(prompt, options), std::move(conversation))),
      prompt_(std::move(prompt)),
      options_(std::move(options)),
      number_(++conversation_->answers),
      sampler_(options_.sampling, conversation_->Vocabulary()),
      decoder_(conversation_->tokenizer),
      filter_(options_.stop),
      lookup_(options_.lookup),
      tokens_(prompt_.tokens) {
  figures_.prompt_tokens = static_cast<int64_t>(tokens_.size());
}

RunOptions Answer::Impl::RunOptionsOf() const {
  RunOptions run;
  run.cancel = options_.cancel;
  run.deadline = options_.deadline;
  return run;
}

bool Answer::Impl::Next(Piece& piece) {
  piece = {};
  if (over_) return false;
  if (number_ != conversation_->answers) {
    over_ = true;
    throw Error(ErrorCode::kState, "the answer is over: its generator has begun another one, or was reset");
  }
  try {
    Compute(piece);
  } catch (const Error& error) {
    over_ = true;
    if (error.code() != ErrorCode::kCancelled && error.code() != ErrorCode::kDeadline) throw;
    End(error.code() == ErrorCode::kCancelled ? FinishReason::kCancelled : FinishReason::kDeadline, piece);
  } catch (...) {
    over_ = true;
    throw;
  }
  return true;
}

void Answer::Impl::Compute(Piece& piece) {
  if (options_.cancel && options_.cancel->cancelled()) return End(FinishReason::kCancelled, piece);
  if (options_.deadline && Clock::now() >= *options_.deadline) return End(FinishReason::kDeadline, piece);
  if (!begun_) ComputePrompt();
  while (chosen_.empty()) ComputeTokens();
  piece = std::move(chosen_.front());
  chosen_.pop_front();
  if (figures_.tokens++ == 0) first_ = Clock::now();
  figures_.seconds = std::chrono::duration<double>(Clock::now() - first_).count();
  if (prompt_.endings.count(piece.token) > 0) return End(FinishReason::kStop, piece);
  piece.text = filter_.Push(decoder_.Push(piece.token));
  if (filter_.stopped()) return End(FinishReason::kStop, piece);
  if (figures_.tokens == options_.max_tokens || (chosen_.empty() && IsFull())) End(FinishReason::kLength, piece);
}

bool Answer::Impl::IsFull() const {
  const int64_t most = conversation_->state.facts().max_length;
  return most > 0 && static_cast<int64_t>(tokens_.size()) > most;
}

void Answer::Impl::End(FinishReason reason, Piece& piece) {
  over_ = true;
  piece.finish = reason;
  piece.text += filter_.Push(decoder_.Finish());
  if (filter_.stopped() && reason == FinishReason::kLength) piece.finish = FinishReason::kStop;
  piece.text += filter_.Finish();
}

Answer::Answer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Answer::Answer(Answer&&) noexcept = default;
Answer& Answer::operator=(Answer&&) noexcept = default;
Answer::~Answer() = default;

bool Answer::Next(Piece& piece) { return impl_->Next(piece); }
AnswerFigures Answer::figures() const { return impl_->figures(); }

}  // namespace kuiper_infer::text
