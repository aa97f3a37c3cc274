// SPDX-License-Identifier: MIT
#pragma once

#include "operation/composition.hpp"

namespace kuiper_infer {

/// The solution X of A X = B, or of X A = B unless `left`, of complex matrices on the last two axes: `b` broadcasts to
/// the batch of `a`. It is that of a real system of twice the size. Fails unless the matrices of `a` are square and
/// both arrays are complex of the same type; the run fails for singular matrices.
TensorArgument SolveComplex(const Arguments& arguments, Composition& composition, TensorArgument a, TensorArgument b,
                            bool left);

}  // namespace kuiper_infer
