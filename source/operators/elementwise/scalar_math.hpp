// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "kernel/elementwise/functions.hpp"
#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

// Arithmetic on known Python numbers, by the same functions as on arrays. Integers stay exact; division and
// transcendental functions give floats.

/// Throws Error(kArgument) if the function does not take the number's kind, or if it divides integers by zero.
Value ApplyToNumber(const kernel::UnaryFunction& function, const Value& number,
                    const std::array<double, 3>& parameters = {});
Value ApplyToNumbers(const kernel::BinaryFunction& function, const Value& left, const Value& right);

/// A number that is not complex. Throws Error(kUnsupported) for anything else.
double AsReal(const Value& number);

/// `int(x)`, `torch.float(x)`, ...: truncation toward zero, non-zero is true.
Value CastNumber(const std::string& type, const Value& number);

}  // namespace kuiper_infer
