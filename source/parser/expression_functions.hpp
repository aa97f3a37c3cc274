// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/parser/parse_expression.hpp"

namespace kuiper_infer {

/// The kind of a function's token by its name; TokenWord if there is no function of that name. The functions are casts,
/// size and the functions of kernel/elementwise/functions.hpp.
TokenType FunctionToken(const std::string& name);

/// The number of arguments of the function `name`, a token of kind `type`. Parameters of a function count; they follow
/// its array. 0 for a token that is not a function.
int ArityOf(TokenType type, const std::string& name);

}  // namespace kuiper_infer
