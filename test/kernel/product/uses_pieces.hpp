// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernels.hpp"

namespace kuiper_infer {

/// Returns whether this CPU computes a product of these sizes faster by `pieces` bfloat16 pieces than in float32.
inline bool UsesPieces(int pieces, int64_t rows, int64_t columns, int64_t depth) {
  kernel::ProductQuestion question;
  question.shape = {rows, columns, depth};
  question.pieces = pieces;
  return kernel::ChooseProduct(UsedUnits(), question).format.pieces > 0;
}

}  // namespace kuiper_infer
