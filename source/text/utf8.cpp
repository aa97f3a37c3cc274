// SPDX-License-Identifier: MIT
#include "text/utf8.hpp"

#include <cstring>

namespace kuiper_infer::text {
namespace {

/// What the first byte of a character tells: the number of bytes, the bits of the code, and the range of the second
/// byte, which excludes codes that a shorter form has, surrogates and codes above U+10FFFF.
struct Lead {
  uint32_t size;
  char32_t bits;
  unsigned char least;
  unsigned char most;
};

Lead LeadOf(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) return {2, first & 0x1FU, 0x80, 0xBF};
  if (first >= 0xE0 && first <= 0xEF) {
    return {3, first & 0x0FU, static_cast<unsigned char>(first == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(first == 0xED ? 0x9F : 0xBF)};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    return {4, first & 0x07U, static_cast<unsigned char>(first == 0xF0 ? 0x90 : 0x80),
            static_cast<unsigned char>(first == 0xF4 ? 0x8F : 0xBF)};
  }
  return {1, 0, 0, 0};
}

/// Number of ASCII bytes at the start.
std::size_t AsciiSize(std::string_view bytes) {
  std::size_t size = 0;
  for (uint64_t word = 0; size + sizeof(word) <= bytes.size(); size += sizeof(word)) {
    std::memcpy(&word, bytes.data() + size, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) break;
  }
  while (size < bytes.size() && static_cast<unsigned char>(bytes[size]) < 0x80) ++size;
  return size;
}

}  // namespace

Utf8Step FirstStep(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) return {Utf8::kCharacter, first, 1};
  Lead lead = LeadOf(first);
  if (lead.size == 1) return {Utf8::kIllFormed, kReplacement, 1};
  for (uint32_t i = 1; i < lead.size; ++i) {
    if (i == bytes.size()) return {Utf8::kIncomplete, kReplacement, i};
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte < lead.least || byte > lead.most) return {Utf8::kIllFormed, kReplacement, i};
    lead = {lead.size, (lead.bits << 6) | (byte & 0x3FU), 0x80, 0xBF};
  }
  return {Utf8::kCharacter, lead.bits, lead.size};
}

std::size_t WellFormedSize(std::string_view bytes) {
  std::size_t size = 0;
  while (true) {
    size += AsciiSize(bytes.substr(size));
    if (size == bytes.size()) return size;
    const Utf8Step step = FirstStep(bytes.substr(size));
    if (step.kind != Utf8::kCharacter) return size;
    size += step.size;
  }
}

std::string WellFormed(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t size = WellFormedSize(bytes);
    text += bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (bytes.empty()) break;
    AppendUtf8(kReplacement, text);
    bytes.remove_prefix(FirstStep(bytes).size);
  }
  return text;
}

void AppendUtf8(char32_t code, std::string& text) {
  const auto continuation = [code](int shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6));
    text += continuation(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | (code >> 12));
    text += continuation(6);
    text += continuation(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18));
    text += continuation(12);
    text += continuation(6);
    text += continuation(0);
  }
}

}  // namespace kuiper_infer::text
