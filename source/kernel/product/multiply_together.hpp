// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product.hpp"

namespace kuiper_infer::kernel {

/// Computes products of the same rows: `rows`, `depth` and `a` are equal, there is one segment, and there are no
/// factors. The results are those of Multiply, bit by bit. Products that follow each other and have the same kernel and
/// the same number of groups are computed in one parallel region, in which each thread prepares the rows once for all.
void MultiplyTogether(const Product* products, int64_t count);

}  // namespace kuiper_infer::kernel
