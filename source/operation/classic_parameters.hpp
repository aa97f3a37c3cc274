// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {

// The border between values, in which the library holds parameters, and RuntimeParameter, in which programs see and
// give them. A RuntimeParameter has 32 bits for a number, and no form for a complex one: that is a text, as in the
// file.

/// Makes the parameters of the operator's call visible in `params`. Does nothing if they are, or without a call.
void ShowParameters(RuntimeOperator& op);

/// The values of the operator's parameters: those of its call, or what a program made of them in `params`. A parameter
/// that the program left as it was has all digits of the file. A null in `params` is no parameter.
std::map<std::string, Value> ParameterValues(const RuntimeOperator& op);

}  // namespace kuiper_infer
