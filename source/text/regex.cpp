// SPDX-License-Identifier: MIT
#include "text/regex.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "kuiper_infer/utils/error.hpp"
#include "text/regex_syntax.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

constexpr uint32_t kMostSteps = 10'000'000;
constexpr uint32_t kMostHeapKiB = 65536;

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
using CompiledPattern = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;

std::string Message(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

CompiledPattern Compile(const std::string& pattern, int& code, std::size_t& offset) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  if (!context) throw std::bad_alloc();
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  return CompiledPattern(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                       PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &code,
                                       &offset, context.get()));
}

}  // namespace

bool IsScript(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  if (!std::all_of(name.begin(), name.end(), is_letter)) return false;
  int code = 0;
  std::size_t offset = 0;
  return Compile("\\p{sc:" + name + "}", code, offset) != nullptr;
}

struct Regex::Code {
  std::string place;
  CompiledPattern pattern;
  MatchContext limits;
};

Regex::Regex(const std::string& pattern, const std::string& place) {
  auto code = std::make_shared<Code>();
  int fault = 0;
  std::size_t offset = 0;
  code->place = place + ": the pattern '" + pattern + "'";
  code->pattern = Compile(PatternForPcre2(pattern, place), fault, offset);
  if (!code->pattern) throw Error(ErrorCode::kUnsupported, code->place + ": " + Message(fault));
  pcre2_jit_compile(code->pattern.get(), PCRE2_JIT_COMPLETE);  // without it, the interpreter searches
  code->limits.reset(pcre2_match_context_create(nullptr));
  if (!code->limits) throw std::bad_alloc();
  pcre2_set_match_limit(code->limits.get(), kMostSteps);
  pcre2_set_heap_limit(code->limits.get(), kMostHeapKiB);
  code_ = std::move(code);
}

void Regex::FindAll(std::string_view text, std::vector<Range>& matches) const {
  const MatchData data(pcre2_match_data_create(1, nullptr));
  if (!data) throw std::bad_alloc();
  const std::size_t* const found = pcre2_get_ovector_pointer(data.get());
  const auto search = [&](std::size_t from, uint32_t options) {
    return pcre2_match(code_->pattern.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                       PCRE2_NO_UTF_CHECK | options, data.get(), code_->limits.get());
  };
  bool any = false;
  for (std::size_t from = 0; from <= text.size();) {
    int result = search(from, 0);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = search(from, PCRE2_NO_JIT);
    if (result == PCRE2_ERROR_NOMATCH) return;
    if (result < 0) throw Error(ErrorCode::kUnsupported, code_->place + ": " + Message(result));
    const Range match{found[0], std::max(found[0], found[1])};
    // An empty match where the last one ended would be found for ever.
    if (match.empty() && any && match.end == from) {
      from += from < text.size() ? CharacterSize(text[from]) : 1;
      any = false;
      continue;
    }
    matches.push_back(match);
    from = match.end;
    any = true;
  }
}

}  // namespace kuiper_infer::text
