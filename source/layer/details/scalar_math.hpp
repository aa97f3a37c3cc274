// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/functions.hpp"
#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

// Arithmetic on known Python numbers, by the same functions that arrays are computed with: integers stay exact,
// division and transcendental functions give floats.

/// The function's value for a number. Throws Error(kArgument) when the function does not take the number's kind.
Value ApplyToNumber(const kernel::UnaryFunction& function, const Value& number);
Value ApplyToNumbers(const kernel::BinaryFunction& function, const Value& left, const Value& right);

/// A number converted as `int(x)`, `torch.float(x)`, ... do: truncation toward zero, non-zero is true.
Value CastNumber(const std::string& type, const Value& number);

}  // namespace kuiper_infer
