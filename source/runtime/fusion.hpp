// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "runtime/program.hpp"

namespace kuiper_infer {

/// Operators that take an operand, by operand.
using ReaderCounts = std::map<const RuntimeOperand*, int>;

/// The pass that joins element-wise operators to the step before them: a convolution or a linear layer adds an array
/// and applies an activation while its result is in the cache. `op` reads `sources` by `plan`; if a step that computes
/// one of them can do op's work as well, and nobody else reads that step's result, the step is changed to do so.
/// Returns the slot that then holds op's result, -1 where nothing was joined.
int FuseIntoProducer(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                     const std::vector<Source>& sources, const OperationPlan& plan);

/// The pass that joins a product to the step behind it: a convolution multiplies its input's channels by factors itself
/// (squeeze and excitation). If `op` can, by `plan`, and nobody else reads the product, and it is what was planned
/// last, its step is taken away, and `sources` and `plan` are changed to read what it read. Returns what `plan` does
/// then.
Fusion TakeOverFactor(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                      std::vector<Source>& sources, OperationPlan& plan);

/// The pass that joins a convolution to the one behind it, so that what passes between them is never written whole. If
/// `plan` and the step that was planned last allow it and nobody else reads that step's result, it is taken away, and
/// `sources` and `plan` are changed to do its work, too, for runs on `threads` threads.
void TakeOverConvolution(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                         std::vector<Source>& sources, OperationPlan& plan, int threads);

/// The pass that joins element-wise operators: `op` computes what the step planned last makes, if nobody else reads
/// that, on the way. Changes `sources` and `plan`, and takes that step away.
void TakeOverElementwise(Program& program, const ReaderCounts& readers, const RuntimeOperator& op,
                         std::vector<Source>& sources, OperationPlan& plan);

}  // namespace kuiper_infer
