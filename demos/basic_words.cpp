// SPDX-License-Identifier: MIT
#include "basic_words.hpp"

#include <array>
#include <stdexcept>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

namespace demos {
namespace {

/// The blocks of Chinese characters that BERT knows; Japanese kana and Korean are words as in other alphabets.
constexpr std::array<std::array<UChar32, 2>, 8> kChineseBlocks{{{0x4E00, 0x9FFF},
                                                                {0x3400, 0x4DBF},
                                                                {0x20000, 0x2A6DF},
                                                                {0x2A700, 0x2B73F},
                                                                {0x2B740, 0x2B81F},
                                                                {0x2B820, 0x2CEAF},
                                                                {0xF900, 0xFAFF},
                                                                {0x2F800, 0x2FA1F}}};

const UNormalizer2* Decomposition() {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* decomposition = unorm2_getNFDInstance(&status);
  if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU has no data: ") + u_errorName(status));
  return decomposition;
}

/// This includes format characters and private ones. Characters that Unicode has not assigned yet are kept.
bool IsControl(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0; }

/// All ASCII that is neither letter nor digit counts, though Unicode calls $ + < = > ^ ` | ~ symbols.
bool IsPunctuation(UChar32 c) {
  if (c > ' ' && c < 0x7F) return !u_isalnum(c);
  return u_ispunct(c);
}

bool IsChinese(UChar32 c) {
  for (const auto& [first, last] : kChineseBlocks) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

void AppendUtf8(UChar32 c, std::string& text) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, c);
  text.append(bytes.data(), static_cast<std::size_t>(length));
}

/// Collects words from characters.
class Words {
 public:
  void Add(UChar32 c) { AppendUtf8(c, word_); }
  void End() {
    if (!word_.empty()) words_.push_back(std::move(word_));
    word_.clear();
  }
  std::vector<std::string> Take() {
    End();
    return std::move(words_);
  }

 private:
  std::vector<std::string> words_;
  std::string word_;
};

/// A character of the decomposed text. That text needs no reordering: the marks that it would concern are dropped.
void AddDecomposed(UChar32 c, Words& words) {
  if (u_charType(c) == U_NON_SPACING_MARK) return;
  c = u_tolower(c);
  const bool is_word = IsPunctuation(c);
  if (is_word) words.End();
  words.Add(c);
  if (is_word) words.End();
}

}  // namespace

std::vector<std::string> BasicWords(std::string_view text) {
  static const UNormalizer2* const kDecomposition = Decomposition();
  Words words;
  const auto length = static_cast<int64_t>(text.size());
  for (int64_t i = 0; i < length;) {
    UChar32 c = 0;
    U8_NEXT(text.data(), i, length, c);
    if (c < 0 || c == 0xFFFD) continue;  // malformed
    if (u_isUWhiteSpace(c) && (c == '\t' || c == '\n' || c == '\r' || !IsControl(c))) {
      words.End();
      continue;
    }
    if (IsControl(c)) continue;
    const bool is_word = IsChinese(c);
    if (is_word) words.End();
    std::array<UChar, 32> units{};  // the longest decomposition has 4
    UErrorCode status = U_ZERO_ERROR;
    const int32_t count = unorm2_getDecomposition(kDecomposition, c, units.data(), units.size(), &status);
    if (count < 0 || U_FAILURE(status)) AddDecomposed(c, words);
    for (int32_t k = 0; k < count && U_SUCCESS(status);) {
      UChar32 part = 0;
      U16_NEXT(units, k, count, part);
      AddDecomposed(part, words);
    }
    if (is_word) words.End();
  }
  return words.Take();
}

}  // namespace demos
