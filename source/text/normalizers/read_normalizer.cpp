// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/normalizers/normalizers.hpp"

namespace kuiper_infer::text {
namespace {

NormalizerPtr ReadSequence(const JsonPart& part) {
  std::vector<NormalizerPtr> steps;
  for (const JsonPart& step : part.At("normalizers").Elements()) steps.push_back(ReadNormalizer(step));
  return NormalizerSequence(std::move(steps));
}

NormalizerPtr ReadBert(const JsonPart& part) {
  BertOptions options;
  options.clean_text = part.Bool("clean_text", true);
  options.chinese_apart = part.Bool("handle_chinese_chars", true);
  options.lowercase = part.Bool("lowercase", true);
  options.strip_accents = part.Bool("strip_accents", options.lowercase);
  return BertNormalizer(options);
}

/// The bytes that a text in Base64 stands for; none if it is not Base64.
std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  for (int padding = 0; padding < 2 && !text.empty() && text.back() == '='; ++padding) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count);
  }
  return bytes;
}

NormalizerPtr ReadPrecompiled(const JsonPart& part) {
  if (!part.Has("precompiled_charsmap")) return NormalizerSequence({});
  const JsonPart charsmap = part.At("precompiled_charsmap");
  const std::optional<std::string> bytes = DecodeBase64(charsmap.Text());
  if (!bytes) charsmap.Expected("Base64");
  return PrecompiledNormalizer(*bytes, charsmap.place());
}

}  // namespace

NormalizerPtr ReadNormalizer(const JsonPart& part) {
  const std::string& type = part.At("type").Text();
  if (type == "Sequence") return ReadSequence(part);
  if (type == "NFC") return UnicodeNormalizer(UnicodeForm::kNfc);
  if (type == "NFD") return UnicodeNormalizer(UnicodeForm::kNfd);
  if (type == "NFKC") return UnicodeNormalizer(UnicodeForm::kNfkc);
  if (type == "NFKD") return UnicodeNormalizer(UnicodeForm::kNfkd);
  if (type == "Lowercase") return LowercaseNormalizer();
  if (type == "Strip") return StripNormalizer(part.Bool("strip_left", true), part.Bool("strip_right", true));
  if (type == "StripAccents") return StripAccentsNormalizer();
  if (type == "Prepend") return PrependNormalizer(part.At("prepend").Text());
  if (type == "Replace") return ReplaceNormalizer(ReadPattern(part.At("pattern")), part.At("content").Text());
  if (type == "BertNormalizer") return ReadBert(part);
  if (type == "Precompiled") return ReadPrecompiled(part);
  if (type == "Nmt") return TranslationNormalizer();
  if (type == "ByteLevel") return ByteLevelNormalizer();
  part.Unsupported("the normalizer '" + type + "'");
}

}  // namespace kuiper_infer::text
