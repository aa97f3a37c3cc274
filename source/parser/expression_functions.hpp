// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/parser/parse_expression.hpp"

namespace kuiper_infer {

/// The kind of a function's token by its name; TokenWord when there is no such function. The functions are casts, size
/// and those of kernel/elementwise/functions.hpp.
TokenType FunctionToken(const std::string& name);

/// Number of arguments of the function `name`, a token of kind `type`: those of a function with parameters follow its
/// array. 0 for tokens that are no functions.
int ArityOf(TokenType type, const std::string& name);

}  // namespace kuiper_infer
