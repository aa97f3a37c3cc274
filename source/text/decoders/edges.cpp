// SPDX-License-Identifier: MIT
// Decoders that treat the first characters of a token, or its last ones, differently.
#include "text/decoders/decoders.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// Holds back characters at the end of a token's part only as long as they may have to be dropped.
class StripRun : public DecoderRun {
 public:
  StripRun(std::string character, int64_t at_start, int64_t at_end)
      : character_(std::move(character)), at_start_(at_start), at_end_(at_end) {}

  void Push(TokenText token, TokenTexts& out) override {
    if (token.begins) left_ = at_start_;
    std::string text = std::move(token.text);
    while (left_ > 0 && text.compare(0, character_.size(), character_) == 0 && !text.empty()) {
      text.erase(0, character_.size());
      --left_;
    }
    if (!text.empty()) left_ = 0;
    out.push_back({HoldEnd(std::move(text), token.ends), token.begins, token.ends});
  }

 private:
  std::string HoldEnd(std::string text, bool ends) {
    if (at_end_ == 0) return text;
    text.insert(0, held_);
    int64_t count = 0;
    std::size_t size = text.size();
    const auto ends_with_character = [&] {
      return size >= character_.size() && text.compare(size - character_.size(), character_.size(), character_) == 0;
    };
    for (; count < at_end_ && ends_with_character(); ++count) size -= character_.size();
    held_ = ends ? "" : text.substr(size);
    text.resize(size);
    return text;
  }

  std::string character_;
  int64_t at_start_;
  int64_t at_end_;
  int64_t left_ = 0;  ///< characters that may still be dropped at the token's start
  std::string held_;  ///< characters that are dropped if the token ends here
};

/// A token is held back until it is known whether it is the last.
class SuffixRun : public DecoderRun {
 public:
  explicit SuffixRun(std::string suffix) : suffix_(std::move(suffix)) {}

  void Push(TokenText token, TokenTexts& out) override {
    if (token.begins && has_token_) Give(" ", out);
    held_ = token.begins ? std::move(token.text) : held_ + token.text;
    has_token_ = true;
  }
  void Finish(TokenTexts& out) override {
    if (has_token_) Give("", out);
  }

 private:
  void Give(std::string_view with, TokenTexts& out) {
    ReplaceAll(held_, suffix_, with);
    out.push_back({std::move(held_)});
    held_.clear();
  }

  std::string suffix_;
  std::string held_;
  bool has_token_ = false;
};

}  // namespace

DecoderPtr StripDecoder(std::string character, int64_t at_start, int64_t at_end) {
  return DecoderOf<StripRun>(std::move(character), at_start, at_end);
}
DecoderPtr SuffixDecoder(std::string suffix) { return DecoderOf<SuffixRun>(std::move(suffix)); }

}  // namespace kuiper_infer::text
