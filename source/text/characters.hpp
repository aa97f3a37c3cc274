// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer::text {

// Properties of characters, as Unicode gives them to code points.

/// White_Space: separators, tabs and line ends.
bool IsWhiteSpace(char32_t code);
/// Digits, numerals and other numbers (categories Nd, Nl and No).
bool IsNumeric(char32_t code);
/// Punctuation, and all of ASCII that is neither letter, digit, control character nor space.
bool IsPunctuation(char32_t code);
/// Control and format characters and private ones (Cc, Cf and Co).
bool IsControl(char32_t code);
/// Marks that take no space of their own (Mn).
bool IsNonspacingMark(char32_t code);
/// All marks (Mn, Mc and Me).
bool IsMark(char32_t code);
/// Appends the lower case of a character, whatever surrounds it.
void AppendLowerCase(char32_t code, std::string& text);

}  // namespace kuiper_infer::text
