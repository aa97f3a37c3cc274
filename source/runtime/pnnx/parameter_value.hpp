// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/runtime/ir.h"

namespace pnnx {

/// The parameter's value with all digits of the file. Throws Error(kArgument) for an integer that 64 bits do not hold.
kuiper_infer::Value ValueOf(const Parameter& parameter);

}  // namespace pnnx
