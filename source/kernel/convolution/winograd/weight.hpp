// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {

/// The order of weights for tiles of m x m outputs (m is 2, 4 or 6): the transformed 3x3 windows G g G' (run.hpp),
/// plane after plane, each of them in the order of weight_product.hpp.
const WeightOrder& WinogradWeightOrder(int m);

}  // namespace kuiper_infer::kernel
