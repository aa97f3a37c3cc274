// SPDX-License-Identifier: MIT
// Decoders that make one token of all tokens. Its parts are given out as the tokens come.
#include "text/byte_alphabet.hpp"
#include "text/decoders/decoders.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

class FuseRun : public DecoderRun {
 public:
  void Push(TokenText token, TokenTexts& out) override { Give(std::move(token.text), out); }
  void Finish(TokenTexts& out) override { out.push_back({"", !begun_, true}); }

 protected:
  void Give(std::string text, TokenTexts& out) {
    out.push_back({std::move(text), !begun_, false});
    begun_ = true;
  }

 private:
  bool begun_ = false;
};

class ByteLevelRun : public FuseRun {
 public:
  void Push(TokenText token, TokenTexts& out) override {
    AppendBytes(token.text);
    std::string text;
    while (!bytes_.empty()) {
      const std::size_t size = WellFormedSize(bytes_);
      text.append(bytes_, 0, size);
      bytes_.erase(0, size);
      if (bytes_.empty()) break;
      const Utf8Step step = FirstStep(bytes_);
      if (step.kind == Utf8::kIncomplete) break;
      AppendUtf8(kReplacement, text);
      bytes_.erase(0, step.size);
    }
    Give(std::move(text), out);
  }
  void Finish(TokenTexts& out) override {
    if (!bytes_.empty()) Give(WellFormed(bytes_), out);
    FuseRun::Finish(out);
  }
  std::string pending() const override { return bytes_; }

 private:
  /// A token with a character that is not of the alphabet stands for itself.
  void AppendBytes(const std::string& token) {
    const std::size_t before = bytes_.size();
    bool is_alphabet = true;
    ForEachCharacter(token, [&](char32_t code, std::size_t, std::size_t) {
      const int byte = ByteOf(code);
      is_alphabet = is_alphabet && byte >= 0;
      if (is_alphabet) bytes_ += static_cast<char>(byte);
    });
    if (!is_alphabet) bytes_.replace(before, std::string::npos, token);
  }

  std::string bytes_;  ///< not given out yet
};

/// If the bytes of successive byte tokens are UTF-8, they are a text. Otherwise each byte becomes U+FFFD.
class ByteFallbackRun : public DecoderRun {
 public:
  void Push(TokenText token, TokenTexts& out) override {
    const int byte = token.begins && token.ends ? ByteOfName(token.text) : -1;
    if (byte >= 0) {
      bytes_ += static_cast<char>(byte);
      return;
    }
    Finish(out);
    out.push_back(std::move(token));
  }
  void Finish(TokenTexts& out) override {
    if (WellFormedSize(bytes_) == bytes_.size()) {
      if (!bytes_.empty()) out.push_back({bytes_});
    } else {
      for (std::size_t i = 0; i < bytes_.size(); ++i) out.push_back({u8"\uFFFD"});
    }
    bytes_.clear();
  }
  std::string pending() const override { return bytes_; }

 private:
  static int Digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  }
  static int ByteOfName(const std::string& name) {
    if (name.size() != 6 || name.compare(0, 3, "<0x") != 0 || name[5] != '>') return -1;
    const int high = Digit(name[3]);
    const int low = Digit(name[4]);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
  }

  std::string bytes_;
};

}  // namespace

DecoderPtr FuseDecoder() { return DecoderOf<FuseRun>(); }
DecoderPtr ByteLevelDecoder() { return DecoderOf<ByteLevelRun>(); }
DecoderPtr ByteFallbackDecoder() { return DecoderOf<ByteFallbackRun>(); }

}  // namespace kuiper_infer::text
