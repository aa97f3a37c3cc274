// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// The layout of weights for tiles of m x m outputs (m is 2, 4 or 6) by a float32 kernel, or of 2 x 2 outputs by a
/// bfloat16 kernel of one piece: the transformed 3x3 windows G g G' (run.hpp), plane after plane, each of them in the
/// kernel's panels.
template <int m>
const PackedLayout& LayoutWinograd(const ProductKernel& product);

}  // namespace kuiper_infer::kernel
