// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/decoder.hpp"
#include "text/pattern.hpp"

namespace kuiper_infer::text {

/// A decoder whose runs are of class Run, made from copies of the arguments.
template <class Run, class... Arguments>
DecoderPtr DecoderOf(Arguments... arguments) {
  class Description : public Decoder {
   public:
    explicit Description(Arguments... values) : values_(std::move(values)...) {}
    std::unique_ptr<DecoderRun> Start() const override {
      return std::apply([](const auto&... values) { return std::make_unique<Run>(values...); }, values_);
    }

   private:
    std::tuple<Arguments...> values_;
  };
  return std::make_unique<Description>(std::move(arguments)...);
}

/// A run that changes whole tokens one by one. It joins the parts of a token that comes in parts.
class WholeTokenRun : public DecoderRun {
 public:
  void Push(TokenText token, TokenTexts& out) final;

 protected:
  /// Changes the text of a token. `is_first` tells whether it is the first one.
  virtual void Change(std::string& text, bool is_first) = 0;

 private:
  std::string text_;
  bool is_first_ = true;
};

/// Applies several decoders, one after the other.
DecoderPtr DecoderSequence(std::vector<DecoderPtr> steps);
/// Turns characters of GPT-2's alphabet into the bytes for which they stand. All tokens become one.
DecoderPtr ByteLevelDecoder();
/// Bytes from tokens <0xHH>.
DecoderPtr ByteFallbackDecoder();
/// All tokens become one.
DecoderPtr FuseDecoder();
/// Drops up to `at_start` copies of a character at the start of each token, and up to `at_end` at its end.
DecoderPtr StripDecoder(std::string character, int64_t at_start, int64_t at_end);
DecoderPtr ReplaceDecoder(std::shared_ptr<const Pattern> pattern, std::string content);
/// From the second token on, removes the prefix from tokens that have it, and puts a space before all other tokens.
DecoderPtr WordPieceDecoder(std::string prefix, bool cleanup);
/// SentencePiece's marks become spaces. In the first token they are dropped if `drops_first`.
DecoderPtr MetaspaceDecoder(std::string mark, bool drops_first);
/// The mark at the end of words becomes a space. In the last token it is removed.
DecoderPtr SuffixDecoder(std::string suffix);
/// Removes repeated tokens and CTC's blank token (`padding`), for networks that give a token for each time step.
DecoderPtr CtcDecoder(std::string padding, std::string space, bool cleanup);
/// Removes spaces before punctuation and within English contractions.
void CleanUp(std::string& text);
void ReplaceAll(std::string& text, std::string_view what, std::string_view with);

}  // namespace kuiper_infer::text
