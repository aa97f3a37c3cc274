// SPDX-License-Identifier: MIT
#include "parser/expression_functions.hpp"

#include "kernel/elementwise/functions.hpp"
#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer {

TokenType FunctionToken(const std::string& name) {
  if (name == "add") return TokenType::TokenAdd;
  if (name == "mul") return TokenType::TokenMul;
  if (name == "sin") return TokenType::TokenSin;
  if (name == "size") return TokenType::TokenSize;
  if (name == "int" || TypeFromTorchName(name) != RuntimeDataType::kTypeUnknown) return TokenType::TokenCast;
  if (kernel::FindUnary(name) != nullptr) return TokenType::TokenUnary;
  if (kernel::FindBinary(name) != nullptr) return TokenType::TokenBinary;
  return TokenType::TokenWord;
}

int ArityOf(TokenType type, const std::string& name) {
  switch (type) {
    case TokenType::TokenUnary:
      return 1 + kernel::FindUnary(name)->parameters;
    case TokenType::TokenSin:
    case TokenType::TokenCast:
      return 1;
    case TokenType::TokenAdd:
    case TokenType::TokenMul:
    case TokenType::TokenBinary:
    case TokenType::TokenSize:
      return 2;
    default:
      return 0;
  }
}

}  // namespace kuiper_infer
