// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/reduction/reduce.hpp"

namespace kuiper_infer::kernel {

// The reductions of float and double that few models use. They read elements as double and are compiled for the
// baseline only: versions for each instruction set would take a third of the time for compiling reductions.

/// Whether a reduction is rare: products, sums and means without NaN, counts, norms with a p other than 1 and 2.
bool IsRareReduction(Reduction reduction, double p);

/// Like Reduce, for a rare reduction of a floating `input`.
void ReduceRare(Reduction reduction, double p, const ReductionGeometry& geometry, const ConstArrayView& input,
                const ArrayView& output);

}  // namespace kuiper_infer::kernel
