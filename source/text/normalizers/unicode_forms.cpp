// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string_view>
#include <utf8proc.h>
#include <utility>

#include "kuiper_infer/utils/error.hpp"
#include "text/normalizers/normalizers.hpp"

namespace kuiper_infer::text {
namespace {

class Form : public Normalizer {
 public:
  explicit Form(UnicodeForm form) : form_(form) {}
  void Apply(std::string& text) const override { ApplyUnicodeForm(form_, text); }

 private:
  UnicodeForm form_;
};

int Options(UnicodeForm form) {
  switch (form) {
    case UnicodeForm::kNfc:
      return UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    case UnicodeForm::kNfd:
      return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    case UnicodeForm::kNfkc:
      return UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    default:
      return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
  }
}

/// U+11A7 HANGUL JUNGSEONG O-YAE. utf8proc takes it for a final consonant and drops it behind a syllable without one.
/// It is a starter that composes with nothing, so the parts of a text on both sides of it can be composed apart.
constexpr std::string_view kOYae = "\xE1\x86\xA7";

void AppendForm(UnicodeForm form, std::string_view text, std::string& result) {
  if (text.empty()) return;
  utf8proc_uint8_t* normalized = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &normalized, static_cast<utf8proc_option_t>(Options(form)));
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) throw Error(ErrorCode::kInput, std::string("the text: ") + utf8proc_errmsg(size));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&free)> owned(normalized, &free);
  result.append(reinterpret_cast<const char*>(normalized), static_cast<std::size_t>(size));
}

}  // namespace

void ApplyUnicodeForm(UnicodeForm form, std::string& text) {
  const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return;
  std::string result;
  std::size_t start = 0;
  for (std::size_t at = text.find(kOYae); at != std::string::npos; at = text.find(kOYae, start)) {
    AppendForm(form, std::string_view(text).substr(start, at - start), result);
    result += kOYae;
    start = at + kOYae.size();
  }
  AppendForm(form, std::string_view(text).substr(start), result);
  text = std::move(result);
}

NormalizerPtr UnicodeNormalizer(UnicodeForm form) { return std::make_unique<Form>(form); }

}  // namespace kuiper_infer::text
