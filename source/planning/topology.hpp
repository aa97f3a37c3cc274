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

/// Returns the execution order, in which every operator comes after the producers of its inputs: depth-first, in
/// reverse post-order, without recursion, so that a deep graph does not overflow the stack. has_forward marks visited
/// operators. Operators that don't depend on each other keep the order of the file. Throws Error(kGraph) that names the
/// operators of a cycle.
Operators SortDepthFirst(const Operators& operators);

/// Sorts by levels (Kahn's algorithm): an operator comes as soon as all its producers have come. Tests compare it with
/// SortDepthFirst. Runs do not use it, because it keeps more operands alive at once.
Operators SortBreadthFirst(const Operators& operators);

/// Returns the operators of `order` from which a pnnx.Output or an assertion can be reached, in the same order, and
/// every pnnx.Input. The results of all other operators are never read.
Operators WithoutDead(const Operators& order);

/// The inputs and the outputs of a model in the order in which its users number them.
Operators InputOperators(const Operators& operators);
Operators OutputOperators(const Operators& operators);

}  // namespace kuiper_infer
