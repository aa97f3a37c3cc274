// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/views.hpp"

namespace kuiper_infer {

/// Parts of the operations that cut an array along an axis.

/// The axis `dim` of argument `input`. Throws Error if the array has none.
int64_t SplitAxis(const Arguments& arguments);

/// Throws Error for more parts than a list may hold, before they are made.
void RequireParts(const Arguments& arguments, int64_t count);

/// Plans the array cut along an axis, each part a view of its memory. A part begins at each of the positions `bounds`
/// but the last and ends at the next one; it is empty if that lies before its beginning.
OperationPlan PlanParts(const TensorArgument& input, int64_t axis, const std::vector<int64_t>& bounds);

}  // namespace kuiper_infer
