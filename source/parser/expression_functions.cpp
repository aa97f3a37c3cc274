// SPDX-License-Identifier: MIT
#include "parser/expression_functions.hpp"

#include <set>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer {

TokenType FunctionToken(const std::string& name) {
  static const std::set<std::string> kUnary = {"abs",  "acos",  "acosh", "asin",   "asinh",      "atan",  "atanh",
                                               "ceil", "cos",   "cosh",  "erf",    "exp",        "expm1", "floor",
                                               "log",  "log10", "log1p", "neg",    "reciprocal", "round", "rsqrt",
                                               "sign", "sinh",  "sqrt",  "square", "tan",        "tanh",  "trunc"};
  static const std::set<std::string> kBinary = {"sub",   "div",       "floor_divide", "remainder", "fmod",    "pow",
                                                "atan2", "logaddexp", "max",          "min",       "maximum", "minimum",
                                                "and",   "or",        "xor",          "lshift",    "rshift"};
  if (name == "add") return TokenType::TokenAdd;
  if (name == "mul") return TokenType::TokenMul;
  if (name == "sin") return TokenType::TokenSin;
  if (name == "size") return TokenType::TokenSize;
  if (name == "int" || TypeFromTorchName(name) != RuntimeDataType::kTypeUnknown) return TokenType::TokenCast;
  if (kUnary.count(name) != 0) return TokenType::TokenUnary;
  if (kBinary.count(name) != 0) return TokenType::TokenBinary;
  return TokenType::TokenWord;
}

int ArityOf(TokenType type) {
  switch (type) {
    case TokenType::TokenSin:
    case TokenType::TokenUnary:
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
