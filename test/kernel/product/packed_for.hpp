// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// A weight packed for a kernel.
inline std::vector<std::byte> PackedFor(const ProductKernel& kernel, const TransposedWeight& weight) {
  const int64_t bytes = kernel.panels.Bytes(weight.columns, weight.depth() / weight.segments, weight.segments);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  kernel.panels.Pack(weight, packed.data());
  return packed;
}

}  // namespace kuiper_infer::kernel
