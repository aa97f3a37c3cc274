// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {

using Operators = std::vector<std::shared_ptr<RuntimeOperator>>;

/// Fills output_names, output_operators and input_operands from the operands that operators share. Throws
/// Error(kGraph) on a null operand, an operand with two producers, or an input that no operator produces.
void LinkOperators(const Operators& operators);

/// Execution order: every operator after the producers of its inputs. Depth-first, reverse post-order, without
/// recursion, so that a deep graph does not overflow the stack; has_forward marks the visited. Operators that don't
/// depend on each other keep the order of the file. Throws Error(kGraph) that names the operators of a cycle.
Operators SortDepthFirst(const Operators& operators);

/// An execution order by counting unfinished producers (Kahn), level after level. Not used for running: it keeps more
/// operands alive at once; tests compare the two.
Operators SortBreadthFirst(const Operators& operators);

/// What remains of an execution order when the operators go whose results reach no pnnx.Output. The model's inputs
/// stay.
Operators WithoutDead(const Operators& order);

/// The inputs and the outputs of a model in the order in which its users number them.
Operators InputOperators(const Operators& operators);
Operators OutputOperators(const Operators& operators);

}  // namespace kuiper_infer
