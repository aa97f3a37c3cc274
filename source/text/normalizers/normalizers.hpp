// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.hpp"
#include "text/pattern.hpp"

namespace kuiper_infer::text {

/// Applies several normalizers, one after the other.
NormalizerPtr NormalizerSequence(std::vector<NormalizerPtr> steps);

/// Unicode's normalisation forms.
enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };
NormalizerPtr UnicodeNormalizer(UnicodeForm form);
void ApplyUnicodeForm(UnicodeForm form, std::string& text);

NormalizerPtr LowercaseNormalizer();
/// Drops white space at the ends.
NormalizerPtr StripNormalizer(bool left, bool right);
/// Drops all marks.
NormalizerPtr StripAccentsNormalizer();
/// Puts something before a text that is not empty.
NormalizerPtr PrependNormalizer(std::string content);
NormalizerPtr ReplaceNormalizer(std::unique_ptr<const Pattern> pattern, std::string content);
/// Writes bytes in GPT-2's alphabet.
NormalizerPtr ByteLevelNormalizer();
/// What SentencePiece did for translation: other spaces become spaces, control characters are dropped.
NormalizerPtr TranslationNormalizer();

struct BertOptions {
  bool clean_text = true;     ///< drops control characters; white space becomes spaces
  bool chinese_apart = true;  ///< Chinese characters get spaces around them
  bool strip_accents = true;
  bool lowercase = true;
};
NormalizerPtr BertNormalizer(const BertOptions& options);

/// SentencePiece's rules, compiled. `charsmap` is what the file holds, decoded from Base64. Throws Error(kFile) that
/// begins with `place` if it is broken.
NormalizerPtr PrecompiledNormalizer(std::string_view charsmap, const std::string& place);

}  // namespace kuiper_infer::text
