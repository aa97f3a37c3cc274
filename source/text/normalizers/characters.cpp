// SPDX-License-Identifier: MIT
// Normalizers that look at characters one by one.
#include "text/characters.hpp"

#include "text/byte_alphabet.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// Appends what becomes of a character to a text.
using Change = void (*)(char32_t code, std::string& text);

class PerCharacter : public Normalizer {
 public:
  explicit PerCharacter(Change change) : change_(change) {}
  void Apply(std::string& text) const override {
    std::string result;
    result.reserve(text.size());
    ForEachCharacter(text, [&](char32_t code, std::size_t, std::size_t) { change_(code, result); });
    text = std::move(result);
  }

 private:
  Change change_;
};

class ByteLevel : public Normalizer {
 public:
  void Apply(std::string& text) const override {
    std::string result;
    AppendAsAlphabet(text, result);
    text = std::move(result);
  }
};

void DropMark(char32_t code, std::string& text) {
  if (!IsMark(code)) AppendUtf8(code, text);
}

bool IsDroppedForTranslation(char32_t code) {
  return (code >= 0x1 && code <= 0x8) || code == 0xB || (code >= 0xE && code <= 0x1F) || code == 0x7F || code == 0x8F ||
         code == 0x9F;
}
bool IsSpaceForTranslation(char32_t code) {
  return code == 0x9 || code == 0xA || code == 0xC || code == 0xD || code == 0x1680 ||
         (code >= 0x200B && code <= 0x200F) || code == 0x2028 || code == 0x2029 || code == 0x2581 || code == 0xFEFF ||
         code == kReplacement;
}
void ForTranslation(char32_t code, std::string& text) {
  if (!IsDroppedForTranslation(code)) AppendUtf8(IsSpaceForTranslation(code) ? U' ' : code, text);
}

}  // namespace

NormalizerPtr LowercaseNormalizer() { return std::make_unique<PerCharacter>(AppendLowerCase); }
NormalizerPtr StripAccentsNormalizer() { return std::make_unique<PerCharacter>(DropMark); }
NormalizerPtr TranslationNormalizer() { return std::make_unique<PerCharacter>(ForTranslation); }
NormalizerPtr ByteLevelNormalizer() { return std::make_unique<ByteLevel>(); }

}  // namespace kuiper_infer::text
