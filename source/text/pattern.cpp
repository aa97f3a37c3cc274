// SPDX-License-Identifier: MIT
#include "text/pattern.hpp"

#include <array>
#include <utility>

#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

class RegexMatches : public Pattern {
 public:
  explicit RegexMatches(Regex regex) : regex_(std::move(regex)) {}
  void FindAll(std::string_view text, std::vector<Range>& matches) const override { regex_.FindAll(text, matches); }

 private:
  Regex regex_;
};

class Occurrences : public Pattern {
 public:
  explicit Occurrences(std::string literal) : literal_(std::move(literal)) {}
  void FindAll(std::string_view text, std::vector<Range>& matches) const override {
    for (std::size_t at = text.find(literal_); at != std::string_view::npos; at = text.find(literal_, at)) {
      matches.push_back({at, at + literal_.size()});
      at += literal_.size();
    }
  }

 private:
  std::string literal_;
};

class CharactersWith : public Pattern {
 public:
  explicit CharactersWith(bool (*has_property)(char32_t)) : has_property_(has_property) {}
  void FindAll(std::string_view text, std::vector<Range>& matches) const override {
    ForEachCharacter(text, [&](char32_t code, std::size_t start, std::size_t size) {
      if (has_property_(code)) matches.push_back({start, start + size});
    });
  }

 private:
  bool (*has_property_)(char32_t);
};

}  // namespace

std::unique_ptr<const Pattern> ReadPattern(const JsonPart& part) {
  if (part.value().is_string()) return LiteralPattern(part.Text());
  if (const auto regex = part.Optional("Regex")) return RegexPattern(regex->Text(), regex->place());
  const JsonPart literal = part.At("String");
  if (literal.Text().empty()) literal.Expected("a text that is not empty");
  return LiteralPattern(literal.Text());
}

std::unique_ptr<const Pattern> RegexPattern(const std::string& pattern, const std::string& place) {
  return std::make_unique<RegexMatches>(Regex(pattern, place));
}

std::unique_ptr<const Pattern> LiteralPattern(std::string literal) {
  return std::make_unique<Occurrences>(std::move(literal));
}

std::unique_ptr<const Pattern> CharacterPattern(bool (*has_property)(char32_t)) {
  return std::make_unique<CharactersWith>(has_property);
}

void ReplaceMatches(const Pattern& pattern, const std::string& content, std::string& text) {
  std::vector<Range> matches;
  pattern.FindAll(text, matches);
  if (matches.empty()) return;
  std::string result;
  std::size_t done = 0;
  for (const Range& match : matches) {
    result.append(text, done, match.begin - done).append(content);
    done = match.end;
  }
  text = result.append(text, done, std::string::npos);
}

Division ReadDivision(const JsonPart& part) {
  constexpr std::array<std::pair<const char*, Division>, 5> kNames{
      {{"Removed", Division::kRemoved},
       {"Isolated", Division::kIsolated},
       {"Contiguous", Division::kContiguous},
       {"MergedWithPrevious", Division::kMergedWithPrevious},
       {"MergedWithNext", Division::kMergedWithNext}}};
  for (const auto& [name, division] : kNames) {
    if (part.Text() == name) return division;
  }
  part.Unsupported("the behavior '" + part.Text() + "'");
}

}  // namespace kuiper_infer::text
