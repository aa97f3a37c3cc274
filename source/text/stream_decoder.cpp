// SPDX-License-Identifier: MIT
#include "text/decoder.hpp"
#include "text/tokenizer_parts.hpp"

namespace kuiper_infer::text {
namespace {

std::string Join(const TokenTexts& texts) {
  std::string text;
  for (const TokenText& part : texts) text += part.text;
  return text;
}

}  // namespace

StreamDecoder::StreamDecoder(Tokenizer tokenizer, bool special)
    : tokenizer_(std::move(tokenizer)), special_(special), run_(tokenizer_.parts_->decoder->Start()) {}
StreamDecoder::StreamDecoder(StreamDecoder&&) noexcept = default;
StreamDecoder& StreamDecoder::operator=(StreamDecoder&&) noexcept = default;
StreamDecoder::~StreamDecoder() = default;

std::string StreamDecoder::Push(int64_t token) {
  const std::string& name = tokenizer_.Name(token);
  if (!special_ && tokenizer_.parts_->added.IsSpecial(name)) return {};
  TokenTexts texts;
  run_->Push({name}, texts);
  pending_ = run_->pending();
  return Join(texts);
}

std::string StreamDecoder::Finish() {
  TokenTexts texts;
  run_->Finish(texts);
  run_ = tokenizer_.parts_->decoder->Start();
  pending_.clear();
  return Join(texts);
}

}  // namespace kuiper_infer::text
