// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "kernel/elementwise/functions.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// The instruction of a function on operands of a common type `type` (integers become floating where the function asks
/// for it). Fails for element types that the function does not take.
kernel::BlockInstruction UnaryInstruction(const kernel::UnaryFunction& function, RuntimeDataType type);
kernel::BlockInstruction BinaryInstruction(const kernel::BinaryFunction& function, RuntimeDataType type);
kernel::BlockInstruction InputInstruction(int index, RuntimeDataType type);
/// A number, in the type `wanted` that the instruction which reads it computes in, where that is floating.
kernel::BlockInstruction ConstantInstruction(const Value& number, RuntimeDataType wanted);

/// The most values that wait on the program's stack at once.
int StackDepth(const std::vector<kernel::BlockInstruction>& instructions);

/// Writes operands that are known numbers into the program, in the type that the instruction behind them computes in:
/// they need not be read and converted for every block.
void InlineNumbers(const std::vector<TensorArgument>& operands, std::vector<kernel::BlockInstruction>& instructions);

/// Powers with the exponents -1, -0.5, 0.5, 2 and 3 become functions of their own, as in PyTorch, which are much
/// faster.
void SimplifyPowers(std::vector<kernel::BlockInstruction>& instructions);

}  // namespace kuiper_infer
