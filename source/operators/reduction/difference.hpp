// SPDX-License-Identifier: MIT
#pragma once

#include "operation/composition.hpp"

namespace kuiper_infer {

int64_t ExtentAlong(const TensorArgument& x, int64_t axis);

/// The differences x[1:] - x[:-1] along the axis; bool arrays mark where neighbours differ.
TensorArgument NeighbourDifferences(Composition& composition, const TensorArgument& x, int64_t axis);

/// A vector as an array that broadcasts along an axis of arrays of this rank.
TensorArgument AlongAxis(const TensorArgument& vector, int64_t axis, int64_t rank);

}  // namespace kuiper_infer
