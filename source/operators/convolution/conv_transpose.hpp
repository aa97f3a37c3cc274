// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Plans a transposed convolution over as many axes as its weight has behind the channels.
OperationPlan PlanTransposedConvolution(const Arguments& arguments);

}  // namespace kuiper_infer
