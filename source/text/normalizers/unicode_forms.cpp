// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utf8proc.h>

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

}  // namespace

void ApplyUnicodeForm(UnicodeForm form, std::string& text) {
  const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return;
  utf8proc_uint8_t* normalized = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &normalized, static_cast<utf8proc_option_t>(Options(form)));
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) throw Error(ErrorCode::kInput, std::string("the text: ") + utf8proc_errmsg(size));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&free)> owned(normalized, &free);
  text.assign(reinterpret_cast<const char*>(normalized), static_cast<std::size_t>(size));
}

NormalizerPtr UnicodeNormalizer(UnicodeForm form) { return std::make_unique<Form>(form); }

}  // namespace kuiper_infer::text
