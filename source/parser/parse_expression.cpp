// SPDX-License-Identifier: MIT
#include "kuiper_infer/parser/parse_expression.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "parser/expression_functions.hpp"

namespace kuiper_infer {
namespace {

/// Deeper nesting than any model's is refused before it can exhaust the stack.
constexpr int kDeepest = 1000;

std::shared_ptr<TokenNode> MakeNode(TokenType type, const std::string& text, int32_t position) {
  auto node = std::make_shared<TokenNode>(static_cast<int32_t>(type), nullptr, nullptr);
  node->text = text;
  node->position = position;
  return node;
}

void AppendPostfix(const std::shared_ptr<TokenNode>& node, std::vector<std::shared_ptr<TokenNode>>& order) {
  if (node == nullptr) return;
  AppendPostfix(node->left, order);
  AppendPostfix(node->right, order);
  for (const auto& item : node->items) AppendPostfix(item, order);
  order.push_back(node);
}

}  // namespace

void ExpressionParser::Fail(int32_t position, const std::string& text) const {
  constexpr std::size_t kShown = 80;
  const std::string shown = statement_.size() > kShown ? statement_.substr(0, kShown) + "..." : statement_;
  throw Error(ErrorCode::kArgument, "expression '" + shown + "', column " + std::to_string(position + 1) + ": " + text);
}

bool ExpressionParser::At(int32_t index, TokenType type) const {
  return index >= 0 && index < static_cast<int32_t>(tokens_.size()) &&
         tokens_[static_cast<std::size_t>(index)].token_type == type;
}

/// Skips commas, of which the converter may write several. If the converter tore calls apart (`torn_`), brackets mean
/// nothing and are skipped.
void ExpressionParser::SkipSeparators(int32_t& index) const {
  while (At(index, TokenType::TokenComma) ||
         (torn_ && (At(index, TokenType::TokenLeftBracket) || At(index, TokenType::TokenRightBracket)))) {
    ++index;
  }
}

std::shared_ptr<TokenNode> ExpressionParser::Generate_(int32_t& index) {
  Tokenizer();
  return ParseItem(index, 0);
}

std::shared_ptr<TokenNode> ExpressionParser::ParseItem(int32_t& index, int depth) {
  const auto size = static_cast<int32_t>(statement_.size());
  if (index < 0 || index >= static_cast<int32_t>(tokens_.size()))
    Fail(size, "the expression ends, expected an argument");
  const Token& token = tokens_[static_cast<std::size_t>(index)];
  const std::string& text = token_strs_[static_cast<std::size_t>(index)];
  if (depth > kDeepest) Fail(token.start_pos, "calls are nested deeper than " + std::to_string(kDeepest) + " levels");
  const std::shared_ptr<TokenNode> node = MakeNode(token.token_type, text, token.start_pos);
  ++index;
  switch (token.token_type) {
    case TokenType::TokenInputNumber:
      node->num_index = std::atoi(text.c_str() + 1);
      return node;
    case TokenType::TokenNumber:
      return node;
    case TokenType::TokenWord:
      if (At(index, TokenType::TokenLeftBracket)) Fail(token.start_pos, "unknown function '" + text + "'");
      return node;
    case TokenType::TokenLeftSquare:
      return ParseList(index, depth, node);
    case TokenType::TokenComma:
    case TokenType::TokenLeftBracket:
    case TokenType::TokenRightBracket:
    case TokenType::TokenRightSquare:
      Fail(token.start_pos, "found '" + text + "', expected an operand, a number or a function");
    default:
      return ParseCall(index, depth, node);
  }
}

std::shared_ptr<TokenNode> ExpressionParser::ParseCall(int32_t& index, int depth,
                                                       const std::shared_ptr<TokenNode>& node) {
  const int arity = ArityOf(static_cast<TokenType>(node->num_index), node->text);
  const auto position = [&] {
    return index < static_cast<int32_t>(tokens_.size()) ? tokens_[static_cast<std::size_t>(index)].start_pos
                                                        : static_cast<int32_t>(statement_.size());
  };
  if (!torn_) ++index;  // the left bracket, which the tokenizer has seen
  SkipSeparators(index);
  node->left = ParseItem(index, depth + 1);
  const bool whole_size = node->num_index == static_cast<int32_t>(TokenType::TokenSize) && !torn_ &&
                          At(index, TokenType::TokenRightBracket);
  for (int argument = 2; argument <= arity && !whole_size; ++argument) {
    if (!torn_ && !At(index, TokenType::TokenComma)) {
      Fail(position(), "expected ',' and argument " + std::to_string(argument) + " of " + node->text);
    }
    SkipSeparators(index);
    (argument == 2 ? node->right : node->items.emplace_back()) = ParseItem(index, depth + 1);
  }
  if (torn_) return node;
  if (!At(index, TokenType::TokenRightBracket)) {
    Fail(position(), "expected ')' after " + std::to_string(arity) + " arguments of " + node->text);
  }
  ++index;
  return node;
}

std::shared_ptr<TokenNode> ExpressionParser::ParseList(int32_t& index, int depth,
                                                       const std::shared_ptr<TokenNode>& node) {
  SkipSeparators(index);
  while (!At(index, TokenType::TokenRightSquare)) {
    if (index >= static_cast<int32_t>(tokens_.size())) {
      Fail(static_cast<int32_t>(statement_.size()), "the list is not closed, expected ']'");
    }
    node->items.push_back(ParseItem(index, depth + 1));
    SkipSeparators(index);
  }
  ++index;
  return node;
}

std::vector<std::shared_ptr<TokenNode>> ExpressionParser::Generate() {
  Tokenizer();
  int32_t index = 0;
  std::shared_ptr<TokenNode> root = ParseItem(index, 0);
  SkipSeparators(index);
  if (index < static_cast<int32_t>(tokens_.size())) {
    const int32_t previous = index - 1;
    const bool list = At(previous, TokenType::TokenComma) || torn_;
    if (!list) {
      const Token& token = tokens_[static_cast<std::size_t>(index)];
      Fail(token.start_pos,
           "found '" + token_strs_[static_cast<std::size_t>(index)] + "' after the end of the expression");
    }
    const auto items = MakeNode(TokenType::TokenLeftSquare, "[", 0);
    items->items.push_back(root);
    while (index < static_cast<int32_t>(tokens_.size())) {
      items->items.push_back(ParseItem(index, 0));
      SkipSeparators(index);
    }
    root = items;
  }
  std::vector<std::shared_ptr<TokenNode>> order;
  AppendPostfix(root, order);
  return order;
}

}  // namespace kuiper_infer
