// SPDX-License-Identifier: MIT
#if defined(__aarch64__)
#include <arm_neon.h>
#include <cstring>

#define KUIPER_INT8_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#include "kernel/product/choose_tile.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/unit_dotprod-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kHeight = 6;  // by four vectors: sums, rows and weights fill the 32 registers
constexpr int kVectors = 4;
constexpr int64_t kVectorLanes = DotProd::kLanes;
static_assert(kVectors * kVectorLanes == kInt8Lanes);
constexpr int64_t kQuads = 4;  // of a row that a vector holds

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_INT8_TARGET inline int8x16_t Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return DotProd::MinusOffset(vreinterpretq_u8_u32(vdupq_n_u32(four >> skipped)));
}

/// Adds the products of the quads in lane kLane of the rows and of kInt8Lanes columns.
template <int kLane, int kRows>
KUIPER_INT8_TARGET inline void AddProducts(const int8x16_t (&rows)[kRows], const int8_t* weight,
                                           int32x4_t (&sums)[kRows][kVectors]) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const int8x16_t columns = vld1q_s8(weight + v * kVectorLanes * 4);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) sums[r][v] = vdotq_laneq_s32(sums[r][v], columns, rows[r], kLane);
  }
}

/// Sums kInt8Lanes columns from `column` on.
template <int kRows>
KUIPER_INT8_TARGET void SumColumns(const Int8Tile& t, int64_t column) {
  const int64_t width = t.vectors * kInt8Lanes;
  int32x4_t sums[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sums[r][v] = vld1q_s32(t.starts + column + v * kVectorLanes);
  }
  const int64_t lda = t.lda;
  const int8_t* weight = t.weight + column * 4;
  int8x16_t rows[kRows];
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    const uint8_t* a = t.a + segment * t.segment_stride;
    int64_t rest = t.depth;
    for (; rest >= 4 * kQuads; rest -= 4 * kQuads, a += 4 * kQuads, weight += kQuads * width * 4) {
      for (int r = 0; r < kRows; ++r) rows[r] = DotProd::MinusOffset(vld1q_u8(a + r * lda));
      AddProducts<0>(rows, weight, sums);
      AddProducts<1>(rows, weight + width * 4, sums);
      AddProducts<2>(rows, weight + 2 * width * 4, sums);
      AddProducts<3>(rows, weight + 3 * width * 4, sums);
    }
    for (; rest >= 4; rest -= 4, a += 4, weight += width * 4) {
      for (int r = 0; r < kRows; ++r) rows[r] = Quad(a + r * lda, 0);
      AddProducts<0>(rows, weight, sums);
    }
    if (rest == 0) continue;
    for (int r = 0; r < kRows; ++r) rows[r] = Quad(a + r * lda + rest - 4, static_cast<int>(8 * (4 - rest)));
    AddProducts<0>(rows, weight, sums);
    weight += width * 4;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) vst1q_s32(t.sums + r * width + column + v * kVectorLanes, sums[r][v]);
  }
}

struct Tiles {
  static constexpr int kHeight = kernel::kHeight;
  template <int kRows>
  static void Run(const Int8Tile& t) {
    for (int64_t v = 0; v < t.vectors; ++v) SumColumns<kRows>(t, v * kInt8Lanes);
  }
};

void Sum(const Int8Tile& tile) { ChooseTileOfRows<Tiles>(tile.rows)(tile); }

int64_t Height(int64_t /*vectors*/, int64_t rows) { return EvenTileHeight(rows, kHeight); }

constexpr Int8Tiles MakeKernel() {
  Int8Tiles kernel{Height, Sum};
  kernel.offset = DotProd::kOffset;
  return kernel;
}

}  // namespace

const Int8Tiles& DotProdInt8Tiles() {
  static constexpr Int8Tiles kKernel = MakeKernel();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
