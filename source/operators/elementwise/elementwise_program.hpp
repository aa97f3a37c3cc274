// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "kernel/elementwise/functions.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// The instruction of a function on operands of a common type `type`. If the function needs it, integers are converted
/// to floating numbers first. Throws Error for element types that the function does not take.
kernel::BlockInstruction UnaryInstruction(const kernel::UnaryFunction& function, RuntimeDataType type);
kernel::BlockInstruction BinaryInstruction(const kernel::BinaryFunction& function, RuntimeDataType type);
kernel::BlockInstruction InputInstruction(int index, RuntimeDataType type);
/// The instruction of a number. If the instruction that reads it computes in a floating type, `wanted` is that type.
kernel::BlockInstruction ConstantInstruction(const Value& number, RuntimeDataType wanted);

/// The largest number of values on the program's stack.
int StackDepth(const std::vector<kernel::BlockInstruction>& instructions);

/// Replaces operands that are known numbers by constants in the type that the next instruction computes in, so that
/// they need not be read and converted for every block.
void InlineNumbers(const std::vector<TensorArgument>& operands, std::vector<kernel::BlockInstruction>& instructions);

/// Replaces powers with the exponents -1, -0.5, 0.5, 2 and 3 by functions of their own, as PyTorch does. These are much
/// faster.
void SimplifyPowers(std::vector<kernel::BlockInstruction>& instructions);

}  // namespace kuiper_infer
