// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kuiper_infer::text {

constexpr char32_t kReplacement = 0xFFFD;

/// What stands at the start of some bytes.
enum class Utf8 {
  kCharacter,   ///< a character
  kIllFormed,   ///< bytes that no character has
  kIncomplete,  ///< the first bytes of a character, at the end of the bytes
};

struct Utf8Step {
  Utf8 kind;
  char32_t code;  ///< U+FFFD if there is no character
  uint32_t size;  ///< in bytes: of the character, or of the longest part of one, which is at least 1
};

/// Reads the start of bytes, of which there is at least one.
Utf8Step FirstStep(std::string_view bytes);

/// Number of bytes of the character that begins with this byte, in a text that is UTF-8.
inline std::size_t CharacterSize(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
/// Whether a character of a UTF-8 text continues with this byte.
inline bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Number of characters of a UTF-8 text.
inline std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += IsContinuation(byte) ? 0 : 1;
  return count;
}

/// Number of bytes before the first one that is not part of a character.
std::size_t WellFormedSize(std::string_view bytes);
/// The bytes, with U+FFFD for each longest part of a character and for each other byte that is not UTF-8. This is how
/// Python's errors="replace" and browsers read bytes.
std::string WellFormed(std::string_view bytes);

void AppendUtf8(char32_t code, std::string& text);

/// Calls `visit(code, start, size)` for each character of a text, which is UTF-8.
template <class Visit>
void ForEachCharacter(std::string_view text, const Visit& visit) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Step step = FirstStep(text.substr(i));
    visit(step.code, i, std::size_t{step.size});
    i += step.size;
  }
}

}  // namespace kuiper_infer::text
