// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/product/int8_tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Adds the products of up to four numbers of a row and of the weight's columns.
void AddProducts(const uint8_t* a, int64_t count, const int8_t* weight, int64_t columns, uint32_t* sums) {
  int32_t factors[4] = {};
  std::copy_n(a, count, factors);
  for (int64_t j = 0; j < columns; ++j) {
    const int8_t* const w = weight + 4 * j;
    sums[j] += static_cast<uint32_t>(factors[0] * w[0] + factors[1] * w[1] + factors[2] * w[2] + factors[3] * w[3]);
  }
}

void Sum(const Int8Tile& t) {
  const int64_t width = t.vectors * kInt8Lanes;
  for (int64_t r = 0; r < t.rows; ++r) {
    uint32_t sums[kInt8Columns];
    std::copy_n(t.starts, width, sums);
    const int8_t* weight = t.weight;
    for (int64_t segment = 0; segment < t.segments; ++segment) {
      const uint8_t* const a = t.a + r * t.lda + segment * t.segment_stride;
      for (int64_t k = 0; k < t.depth; k += 4, weight += 4 * width) {
        AddProducts(a + k, std::min<int64_t>(4, t.depth - k), weight, width, sums);
      }
    }
    std::copy_n(sums, width, t.sums + r * width);
  }
}

int64_t Height(int64_t /*vectors*/) { return 8; }

}  // namespace

const Int8Kernel& PortableInt8Kernel() {
  static constexpr Int8Kernel kKernel{Height, Sum};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
