// SPDX-License-Identifier: MIT
#include "text/decoders/decoders.hpp"

namespace kuiper_infer::text {
namespace {

class SequenceRun : public DecoderRun {
 public:
  explicit SequenceRun(std::vector<std::unique_ptr<DecoderRun>> steps) : steps_(std::move(steps)) {}

  void Push(TokenText token, TokenTexts& out) override {
    TokenTexts tokens;
    tokens.push_back(std::move(token));
    PushThrough(0, std::move(tokens), out);
  }

  void Finish(TokenTexts& out) override {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      TokenTexts held;
      steps_[i]->Finish(held);
      PushThrough(i + 1, std::move(held), out);
    }
  }

  std::string pending() const override {
    std::string bytes;
    for (const auto& step : steps_) bytes += step->pending();
    return bytes;
  }

 private:
  void PushThrough(std::size_t first, TokenTexts tokens, TokenTexts& out) {
    for (std::size_t i = first; i < steps_.size(); ++i) {
      TokenTexts next;
      for (TokenText& token : tokens) steps_[i]->Push(std::move(token), next);
      tokens = std::move(next);
    }
    for (TokenText& token : tokens) out.push_back(std::move(token));
  }

  std::vector<std::unique_ptr<DecoderRun>> steps_;
};

class Sequence : public Decoder {
 public:
  explicit Sequence(std::vector<DecoderPtr> steps) : steps_(std::move(steps)) {}
  std::unique_ptr<DecoderRun> Start() const override {
    std::vector<std::unique_ptr<DecoderRun>> runs;
    for (const DecoderPtr& step : steps_) runs.push_back(step->Start());
    return std::make_unique<SequenceRun>(std::move(runs));
  }

 private:
  std::vector<DecoderPtr> steps_;
};

}  // namespace

DecoderPtr DecoderSequence(std::vector<DecoderPtr> steps) { return std::make_unique<Sequence>(std::move(steps)); }

void WholeTokenRun::Push(TokenText token, TokenTexts& out) {
  if (token.begins && token.ends) {
    text_ = std::move(token.text);
  } else {
    text_ += token.text;
    if (!token.ends) return;
  }
  Change(text_, is_first_);
  is_first_ = false;
  out.push_back({std::move(text_)});
  text_.clear();
}

}  // namespace kuiper_infer::text
