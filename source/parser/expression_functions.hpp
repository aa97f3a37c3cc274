// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/parser/parse_expression.hpp"

namespace kuiper_infer {

/// The kind of a function's token by its name; TokenWord when there is no such function. What the functions compute is
/// in kernel/functions.hpp, under the same names.
TokenType FunctionToken(const std::string& name);

/// Number of arguments of a function token.
int ArityOf(TokenType type);

}  // namespace kuiper_infer
