// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "kuiper_infer/parser/parse_expression.hpp"
#include "parser/expression_functions.hpp"

namespace kuiper_infer {
namespace {

constexpr const char* kPunctuation = "()[],";

bool IsNumber(const std::string& word) {
  if (word == "inf" || word == "-inf" || word == "nan.0" || word == "-nan.0" || word == "nan") return true;
  const std::size_t first = word[0] == '-' || word[0] == '+' ? 1 : 0;
  const std::size_t digit = first < word.size() && word[first] == '.' ? first + 1 : first;
  if (digit >= word.size() || word[digit] < '0' || word[digit] > '9') return false;
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  if (*end == '\0') return true;
  // The imaginary part: "1.0e+00-2.0e+00j" or "1.0e+00+-2.0e+00j".
  if (*end == 'j') return end[1] == '\0';
  if (*end == '+' && end[1] == '-') ++end;
  char* last = nullptr;
  std::strtod(end, &last);
  return last != end && last[0] == 'j' && last[1] == '\0';
}

TokenType PunctuationToken(char c) {
  switch (c) {
    case '(':
      return TokenType::TokenLeftBracket;
    case ')':
      return TokenType::TokenRightBracket;
    case '[':
      return TokenType::TokenLeftSquare;
    case ']':
      return TokenType::TokenRightSquare;
    default:
      return TokenType::TokenComma;
  }
}

}  // namespace

void ExpressionParser::Tokenizer(bool retokenize) {
  if (!tokens_.empty() && !retokenize) return;
  tokens_.clear();
  token_strs_.clear();
  const auto size = static_cast<int32_t>(statement_.size());
  for (int32_t at = 0; at < size;) {
    const char c = statement_[static_cast<std::size_t>(at)];
    if (c == ' ' || c == '\t') {
      ++at;
      continue;
    }
    int32_t end = at + 1;
    TokenType type = TokenType::TokenUnknown;
    if (std::string(kPunctuation).find(c) != std::string::npos) {
      type = PunctuationToken(c);
    } else {
      const std::size_t stop =
          statement_.find_first_of(std::string(kPunctuation) + " \t", static_cast<std::size_t>(at));
      end = stop == std::string::npos ? size : static_cast<int32_t>(stop);
      const std::string word = statement_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at));
      if (c == '@') {
        constexpr std::size_t kMostDigits = 6;
        const bool digits = word.size() > 1 && word.size() <= kMostDigits + 1 &&
                            word.find_first_not_of("0123456789", 1) == std::string::npos;
        if (!digits) Fail(at, "found '" + word + "', expected an operand such as @0");
        type = TokenType::TokenInputNumber;
      } else {
        type = IsNumber(word) ? TokenType::TokenNumber : FunctionToken(word);
      }
    }
    tokens_.push_back({type, at, end});
    token_strs_.push_back(statement_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at)));
    at = end;
  }
  if (tokens_.empty()) Fail(0, "the expression is empty");
  torn_ = false;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool bare = ArityOf(tokens_[i].token_type, token_strs_[i]) > 0 &&
                      !At(static_cast<int32_t>(i) + 1, TokenType::TokenLeftBracket);
    if (!bare) continue;
    // A function's name alone is a word, such as max or sum for a reduction.
    const bool word = bare_ == BareFunction::kWord || tokens_.size() == 1;
    if (word) tokens_[i].token_type = TokenType::TokenWord;
    torn_ = torn_ || !word;
  }
}

}  // namespace kuiper_infer
