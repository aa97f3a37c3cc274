// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kuiper_infer::text {

// GPT-2's alphabet: a printable character for each of the 256 bytes, so that the pieces of a text's bytes are texts.

/// The bytes in that alphabet.
void AppendAsAlphabet(std::string_view bytes, std::string& text);
/// The byte that a character stands for; -1 if it stands for none.
int ByteOf(char32_t character);

}  // namespace kuiper_infer::text
