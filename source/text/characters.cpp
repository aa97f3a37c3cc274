// SPDX-License-Identifier: MIT
#include "text/characters.hpp"

#include <utf8proc.h>

#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

constexpr char32_t kCapitalIWithDot = 0x130;

utf8proc_category_t Category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

}  // namespace

bool IsWhiteSpace(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
  if (code == 0x85) return true;  // the next line
  const utf8proc_category_t category = Category(code);
  return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
}

bool IsNumeric(char32_t code) {
  const utf8proc_category_t category = Category(code);
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool IsPunctuation(char32_t code) {
  if (code < 0x80) {
    return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') || (code >= '[' && code <= '`') ||
           (code >= '{' && code <= '~');
  }
  const utf8proc_category_t category = Category(code);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool IsControl(char32_t code) {
  const utf8proc_category_t category = Category(code);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO;
}

bool IsNonspacingMark(char32_t code) { return Category(code) == UTF8PROC_CATEGORY_MN; }

bool IsMark(char32_t code) {
  const utf8proc_category_t category = Category(code);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

void AppendLowerCase(char32_t code, std::string& text) {
  if (code < 0x80) {
    text += static_cast<char>(code >= 'A' && code <= 'Z' ? code + 'a' - 'A' : code);
  } else if (code == kCapitalIWithDot) {
    text += u8"i\u0307";  // the one character whose lower case has two, whatever the language
  } else {
    AppendUtf8(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))), text);
  }
}

}  // namespace kuiper_infer::text
