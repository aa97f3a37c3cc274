// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernel/block_program.hpp"
#include "layer/abstract/operation.hpp"

namespace kuiper_infer {

/// Plans a block program over array arguments: shapes are broadcast, and the operands are read through their strides.
/// The result has the type that the last instruction leaves.
OperationPlan PlanBlockProgram(kernel::BlockProgram program, const std::vector<TensorArgument>& operands,
                               bool python_scalar = false);

/// The plan of `second` that computes its input number `input`, the result of `first`, on the way. It reads the inputs
/// of `first`, `first_inputs` in number, and behind them its own others. Nothing where it reads that input more than
/// once, or as a part of a larger result: elements would be computed repeatedly. Floating results only.
std::optional<OperationPlan> JoinElementwise(const Elementwise& first, int first_inputs, const Elementwise& second,
                                             int input);

}  // namespace kuiper_infer
