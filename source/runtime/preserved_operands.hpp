// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// The operands whose elements, or zeros, every output of the operator holds, as the table of operations says
/// (operation/output_values.hpp). They are arrays, or lists whose producers preserve operands as well. Empty if the
/// operator computes new numbers, if its arguments fit no operation, or if it depends on contents of the inputs.
std::vector<pnnx::Operand*> PreservedOperands(const pnnx::Operator& op);

}  // namespace kuiper_infer
