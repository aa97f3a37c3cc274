// SPDX-License-Identifier: MIT
#pragma once

#include "operation/computation.hpp"

namespace kuiper_infer {

/// Linear layers in integers: rows that lie on a grid of bytes, times a weight that is stored in integers.

/// Whether such a product can be computed so and should be faster than one in float32.
bool SuitsInt8Linear(const TensorArgument& weight, const Storage& input);

/// input @ weight' + bias, with what `fusion` says of rows and results. `bias` is a RunContext input, or -1.
KernelCall MakeInt8Linear(const TensorArgument& input, const TensorArgument& weight, int bias, const Fusion& fusion,
                          const PlanningContext& context);

}  // namespace kuiper_infer
