// SPDX-License-Identifier: MIT
#include <array>

#include "text/characters.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// The blocks of Chinese characters that BERT knows; Japanese kana and Korean are words as in other alphabets.
constexpr std::array<std::array<char32_t, 2>, 8> kChineseBlocks{{{0x4E00, 0x9FFF},
                                                                 {0x3400, 0x4DBF},
                                                                 {0x20000, 0x2A6DF},
                                                                 {0x2A700, 0x2B73F},
                                                                 {0x2B740, 0x2B81F},
                                                                 {0x2B920, 0x2CEAF},
                                                                 {0xF900, 0xFAFF},
                                                                 {0x2F800, 0x2FA1F}}};

bool IsChinese(char32_t code) {
  for (const auto& [first, last] : kChineseBlocks) {
    if (code >= first && code <= last) return true;
  }
  return false;
}

bool IsDropped(char32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  return code == 0 || code == kReplacement || IsControl(code);
}

class Bert : public Normalizer {
 public:
  explicit Bert(const BertOptions& options) : options_(options) {}

  void Apply(std::string& text) const override {
    if (options_.clean_text || options_.chinese_apart) CleanText(text);
    if (options_.strip_accents) {
      ApplyUnicodeForm(UnicodeForm::kNfd, text);
      DropAccents(text);
    }
    if (options_.lowercase) Lower(text);
  }

 private:
  void CleanText(std::string& text) const {
    std::string result;
    result.reserve(text.size());
    ForEachCharacter(text, [&](char32_t code, std::size_t, std::size_t) {
      if (options_.clean_text && IsDropped(code)) return;
      if (options_.clean_text && IsWhiteSpace(code)) code = ' ';
      const bool apart = options_.chinese_apart && IsChinese(code);
      if (apart) result += ' ';
      AppendUtf8(code, result);
      if (apart) result += ' ';
    });
    text = std::move(result);
  }

  static void DropAccents(std::string& text) {
    std::string result;
    result.reserve(text.size());
    ForEachCharacter(text, [&](char32_t code, std::size_t, std::size_t) {
      if (!IsNonspacingMark(code)) AppendUtf8(code, result);
    });
    text = std::move(result);
  }

  static void Lower(std::string& text) {
    std::string result;
    result.reserve(text.size());
    ForEachCharacter(text, [&](char32_t code, std::size_t, std::size_t) { AppendLowerCase(code, result); });
    text = std::move(result);
  }

  BertOptions options_;
};

}  // namespace

NormalizerPtr BertNormalizer(const BertOptions& options) { return std::make_unique<Bert>(options); }

}  // namespace kuiper_infer::text
