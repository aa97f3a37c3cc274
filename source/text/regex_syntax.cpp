// SPDX-License-Identifier: MIT
#include "text/regex_syntax.hpp"

#include <algorithm>
#include <cctype>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {
namespace {

constexpr std::string_view kOnigurumaWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";

class Rewriter {
 public:
  Rewriter(std::string_view pattern, const std::string& place) : pattern_(pattern), place_(place) {}

  std::string Rewrite() {
    while (at_ < pattern_.size()) {
      if (pattern_[at_] == '\\') {
        Escape();
      } else if (in_class_) {
        InClass();
      } else {
        Outside();
      }
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw Error(ErrorCode::kUnsupported,
                place_ + ": the pattern '" + std::string(pattern_) + "' has " + what + ", which is not supported");
  }
  bool Continues(std::string_view text) const { return pattern_.substr(at_, text.size()) == text; }
  void Copy(std::size_t count) {
    result_ += pattern_.substr(at_, count);
    at_ += count;
  }

  void Outside() {
    if (Continues("(?")) CheckFlags();
    if (pattern_[at_] == '[') {
      in_class_ = true;
      Copy(1);
      if (Continues("^")) Copy(1);
      if (Continues("]")) Copy(1);
      return;
    }
    Copy(1);
  }

  /// Oniguruma's m is PCRE2's s, and the other way round.
  void CheckFlags() const {
    const std::size_t end = pattern_.find_first_of(":)=!<>#PR&", at_ + 2);
    const std::string_view flags = pattern_.substr(at_ + 2, end == std::string_view::npos ? end : end - at_ - 2);
    if (flags.find_first_of("ms") != std::string_view::npos) Fail("the flag m or s");
  }

  void InClass() {
    if (Continues("[:")) {
      const std::size_t end = pattern_.find(":]", at_);
      if (end != std::string_view::npos) return Copy(end + 2 - at_);
    }
    if (pattern_[at_] == '[') Fail("a class within a class");
    if (Continues("&&")) Fail("an intersection of classes");
    if (pattern_[at_] == ']') in_class_ = false;
    Copy(1);
  }

  void Escape() {
    if (at_ + 1 == pattern_.size()) Fail("a backslash at its end");
    const char letter = pattern_[at_ + 1];
    switch (letter) {
      case 's':
        return Replace(R"(\p{White_Space})", 2);
      case 'S':
        return Replace(R"(\P{White_Space})", 2);
      case 'w':
        return Replace(in_class_ ? std::string(kOnigurumaWord) : "[" + std::string(kOnigurumaWord) + "]", 2);
      case 'W':
        if (in_class_) Fail("\\W in a class");
        return Replace("[^" + std::string(kOnigurumaWord) + "]", 2);
      case 'h':
        return Replace(in_class_ ? "0-9a-fA-F" : "[0-9a-fA-F]", 2);
      case 'H':
        if (in_class_) Fail("\\H in a class");
        return Replace("[^0-9a-fA-F]", 2);
      case 'v':
        return Replace(R"(\x0B)", 2);
      case 'u':
        return CodePoint();
      case 'p':
      case 'P':
        return Property();
      default:
        return Copy(2);
    }
  }

  void Replace(const std::string& text, std::size_t count) {
    result_ += text;
    at_ += count;
  }

  void CodePoint() {
    const std::string digits(pattern_.substr(at_ + 2, 4));
    if (digits.size() < 4 ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c); })) {
      Fail("\\u without four digits");
    }
    Replace("\\x{" + digits + "}", 6);
  }

  /// In PCRE2, a script's name also covers characters that the script shares with other scripts.
  void Property() {
    const std::size_t end = pattern_.find('}', at_);
    if (at_ + 2 >= pattern_.size() || pattern_[at_ + 2] != '{' || end == std::string_view::npos) return Copy(2);
    std::string name(pattern_.substr(at_ + 3, end - at_ - 3));
    const bool negated = !name.empty() && name[0] == '^';
    if (negated) name.erase(0, 1);
    if (name.size() > 2 && IsScript(name)) name = "sc:" + name;
    Replace(std::string(pattern_.substr(at_, 3)) + (negated ? "^" : "") + name + "}", end + 1 - at_);
  }

  std::string_view pattern_;
  const std::string& place_;
  std::size_t at_ = 0;
  bool in_class_ = false;
  std::string result_;
};

}  // namespace

std::string PatternForPcre2(std::string_view pattern, const std::string& place) {
  return Rewriter(pattern, place).Rewrite();
}

}  // namespace kuiper_infer::text
