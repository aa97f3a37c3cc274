// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {

// Conversions between Value, in which the library holds parameters, and RuntimeParameter, in which programs see and
// give them. A RuntimeParameter has 32 bits for a number. It holds a complex number as a text, written as in the
// file.

/// Makes the parameters of the operator's call visible in `params`, unless they are already or there is no call.
void ShowParameters(RuntimeOperator& op);

/// The values of the operator's parameters. A parameter that the program changed in `params` has the value given there.
/// Any other has the value of the call, with all digits of the file. A null in `params` is no parameter.
std::map<std::string, Value> ParameterValues(const RuntimeOperator& op);

}  // namespace kuiper_infer
