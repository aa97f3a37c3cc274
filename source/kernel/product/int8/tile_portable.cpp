// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#define KUIPER_INT8_TARGET
#include "kernel/product/int8/channel_tile-inl.hpp"
#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Four numbers along the depth of all columns of a panel, widened: the compiler makes vector code of what reads them.
struct QuadOfColumns {
  int16_t numbers[4][kInt8Columns];

  QuadOfColumns(const int8_t* weight, int64_t columns) {
    for (int64_t j = 0; j < columns; ++j) {
      for (int i = 0; i < 4; ++i) numbers[i][j] = weight[4 * j + i];
    }
  }

  /// Adds the products by the first `count` numbers, up to four, of a row.
  void AddProducts(const uint8_t* a, int64_t count, int64_t columns, int32_t* sums) const {
    int16_t factors[4] = {};
    std::copy_n(a, std::min<int64_t>(count, 4), factors);
    for (int64_t j = 0; j < columns; ++j) {
      const int32_t sum = factors[0] * numbers[0][j] + factors[1] * numbers[1][j] + factors[2] * numbers[2][j] +
                          factors[3] * numbers[3][j];
      sums[j] = static_cast<int32_t>(static_cast<uint32_t>(sums[j]) + static_cast<uint32_t>(sum));
    }
  }
};

void Sum(const Int8Tile& t) {
  const int64_t width = t.vectors * kInt8Lanes;
  for (int64_t r = 0; r < t.rows; ++r) std::copy_n(t.starts, width, t.sums + r * width);
  const int8_t* weight = t.weight;
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    for (int64_t k = 0; k < t.depth; k += 4, weight += 4 * width) {
      const QuadOfColumns quad(weight, width);
      const uint8_t* const a = t.a + segment * t.segment_stride + k;
      for (int64_t r = 0; r < t.rows; ++r) quad.AddProducts(a + r * t.lda, t.depth - k, width, t.sums + r * width);
    }
  }
}

/// Plain loops, of which the compiler makes vector code.
struct Channels {
  static constexpr int kChannelWindows = 1;
  static constexpr int64_t kChannelLanes = kInt8Lanes;
  struct Vector {
    int32_t lanes[kChannelLanes];
  };
  using Quads = const uint8_t*;
  using Weight = const int8_t*;

  static Vector LoadSums(const int32_t* from) {
    Vector sums;
    std::memcpy(sums.lanes, from, sizeof(sums.lanes));
    return sums;
  }
  static void StoreSums(const Vector& sums, int32_t* to) { std::memcpy(to, sums.lanes, sizeof(sums.lanes)); }
  static Weight LoadWeight(const int8_t* from) { return from; }
  static Quads LoadQuads(const uint8_t* from) { return from; }
  static Vector AddDot(const Vector& sums, Quads quads, Weight weight) {
    Vector added;
    for (int64_t j = 0; j < kChannelLanes; ++j) {
      int32_t sum = 0;
      for (int64_t i = 4 * j; i < 4 * j + 4; ++i) sum += quads[i] * weight[i];
      added.lanes[j] = static_cast<int32_t>(static_cast<uint32_t>(sums.lanes[j]) + static_cast<uint32_t>(sum));
    }
    return added;
  }
};

int64_t Height(int64_t /*vectors*/, int64_t rows) { return std::min(rows, kMostInt8Height); }

}  // namespace

const Int8Tiles& PortableInt8Tiles() {
  static constexpr Int8Tiles kKernel{Height, Sum, SumChannels<Channels>};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
