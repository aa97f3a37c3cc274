// SPDX-License-Identifier: MIT
#include "text/byte_alphabet.hpp"

#include <array>

#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// Printable Latin-1 characters stand for themselves. The other bytes are the characters from U+0100 on, in order.
constexpr bool StandsForItself(int byte) { return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD); }

constexpr int kFirstOther = 0x100;
constexpr int kOthers = 68;

constexpr std::array<char32_t, 256> MakeCharacters() {
  std::array<char32_t, 256> characters{};
  char32_t other = kFirstOther;
  for (int byte = 0; byte < 256; ++byte) {
    characters[static_cast<std::size_t>(byte)] = StandsForItself(byte) ? static_cast<char32_t>(byte) : other++;
  }
  return characters;
}
constexpr std::array<char32_t, 256> kCharacters = MakeCharacters();

constexpr std::array<int, kFirstOther + kOthers> MakeBytes() {
  std::array<int, kFirstOther + kOthers> bytes{};
  for (int& byte : bytes) byte = -1;
  for (int byte = 0; byte < 256; ++byte) bytes[kCharacters[static_cast<std::size_t>(byte)]] = byte;
  return bytes;
}
constexpr std::array<int, kFirstOther + kOthers> kBytes = MakeBytes();

}  // namespace

void AppendAsAlphabet(std::string_view bytes, std::string& text) {
  for (const char byte : bytes) AppendUtf8(kCharacters[static_cast<unsigned char>(byte)], text);
}

int ByteOf(char32_t character) { return character < kBytes.size() ? kBytes[character] : -1; }

}  // namespace kuiper_infer::text
