// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kuiper_infer {

/// Kinds of tokens. All kinds are negative, so that TokenNode::num_index can hold either a kind or an operand's index.
enum class TokenType {
  TokenUnknown = -9,
  TokenInputNumber = -8,  ///< "@3"
  TokenComma = -7,
  TokenAdd = -6,
  TokenMul = -5,
  TokenLeftBracket = -4,
  TokenRightBracket = -3,
  TokenSin = -2,
  TokenNumber = -10,      ///< "2", "-1e-05", "inf", "1.0e+00-2.0e+00j"
  TokenWord = -11,        ///< None, True, or any other text that is no function
  TokenLeftSquare = -12,  ///< opens a list
  TokenRightSquare = -13,
  TokenCast = -14,    ///< int and torch.<type>, on numbers
  TokenSize = -15,    ///< size(@k,d)
  TokenUnary = -16,   ///< any other function of one array, perhaps followed by numbers; the node's text names it
  TokenBinary = -17,  ///< any other function of two arrays
};

/// A token and its place in the statement.
struct Token {
  TokenType token_type;
  int32_t start_pos;  ///< into the statement
  int32_t end_pos;    ///< one past the last character
};

/// A node of the syntax tree. A function has its first argument in `left`, its second in `right` and further ones in
/// `items`. A list has its items in `items`.
struct TokenNode {
  TokenNode() = default;
  TokenNode(int32_t index, std::shared_ptr<TokenNode> left_node, std::shared_ptr<TokenNode> right_node)
      : num_index(index), left(std::move(left_node)), right(std::move(right_node)) {}

  int32_t num_index = -1;  ///< operand index (not negative) or a TokenType
  std::shared_ptr<TokenNode> left;
  std::shared_ptr<TokenNode> right;
  std::vector<std::shared_ptr<TokenNode>> items;
  std::string text;      ///< the token: function name, number or word
  int32_t position = 0;  ///< of the token in the statement
};

/// Reads the expressions of the model format, such as "add(@0,mul(@1,2.0))" or "[int(size(@0,2)),-1]": tokens, syntax
/// tree, reverse Polish order. Malformed statements raise Error(kArgument) that points at the column.
class ExpressionParser {
 public:
  /// How to read a function's name that no bracket follows.
  enum class BareFunction {
    kTornCall,  ///< as a call that the converter tore apart, such as expm1,sub(@0,0.5)
    kWord,      ///< as a word
  };

  explicit ExpressionParser(std::string statement, BareFunction bare = BareFunction::kTornCall)
      : statement_(std::move(statement)), bare_(bare) {}

  /// Splits the statement into tokens. A second call does nothing unless `retokenize`.
  void Tokenizer(bool retokenize = false);
  const std::vector<Token>& tokens() const { return tokens_; }
  /// The texts of the tokens.
  const std::vector<std::string>& token_strs() const { return token_strs_; }
  /// Returns token_strs(), under the name that later versions of the original KuiperInfer give it.
  const std::vector<std::string>& token_str_array() const { return token_strs_; }

  /// The syntax tree of the item that starts at token `index`, which moves to the token after it.
  std::shared_ptr<TokenNode> Generate_(int32_t& index);

  /// The nodes of the whole statement in reverse Polish order: every function after its arguments, a list after its
  /// items. Several items without brackets are one list.
  std::vector<std::shared_ptr<TokenNode>> Generate();

 private:
  std::shared_ptr<TokenNode> ParseItem(int32_t& index, int depth);
  std::shared_ptr<TokenNode> ParseCall(int32_t& index, int depth, const std::shared_ptr<TokenNode>& node);
  std::shared_ptr<TokenNode> ParseList(int32_t& index, int depth, const std::shared_ptr<TokenNode>& node);
  void SkipSeparators(int32_t& index) const;
  bool At(int32_t index, TokenType type) const;
  [[noreturn]] void Fail(int32_t position, const std::string& text) const;

  std::string statement_;
  BareFunction bare_;
  std::vector<Token> tokens_;
  std::vector<std::string> token_strs_;
  bool torn_ = false;  ///< a function has no brackets: only the order of tokens counts
};

}  // namespace kuiper_infer
