// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_GEMM_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_GEMM_TILE_INL_HPP_
#undef KUIPER_KERNEL_GEMM_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_GEMM_TILE_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;

/// A tile of the product has up to kMostRows rows of kTileVectors vectors: sums in all but a few of the registers, of
/// which there are 32 in AVX-512 and NEON and 16 before. Multiply-adds then outnumber loads, and no two in a row
/// depend.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kMostRows = 14;
#else
constexpr int kMostRows = 6;
#endif
constexpr int kFewestRows = kMostRows / 2 + 1;
constexpr int kTileVectors = 2;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));  // all targets here have vectors of one size
constexpr int64_t kTileColumns = kTileVectors * kLanes;

/// The matrices that a tile reads and writes.
struct TileArguments {
  int64_t depth;
  const float* a;  ///< (depth, kRows), without gaps
  const float* b;  ///< (depth, columns), rows ldb apart
  int64_t ldb;
  const float* bias;  ///< one for each row, or null
  float* c;
  int64_t ldc;
  int64_t rows;     ///< of c that are written
  int64_t columns;  ///< of c that are written; the last vector is read and written in part
};

template <bool kPartial>
HWY_INLINE FloatVector LoadPart(const Floats d, hn::Mask<Floats> part, const float* from) {
  return kPartial ? hn::MaskedLoad(part, d, from) : hn::LoadU(d, from);
}

/// Computes c = a' b + bias for one tile.
template <int kRows, int kVectors, bool kPartial>
void RunTile(const TileArguments& t) {
  const Floats d;
  const auto part = hn::FirstN(d, static_cast<std::size_t>(t.columns - (kVectors - 1) * kLanes));
  FloatVector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
  }
  const float* a = t.a;
  const float* b = t.b;
  for (int64_t k = 0; k < t.depth; ++k, a += kRows, b += t.ldb) {
    FloatVector row[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v + 1 < kVectors; ++v) row[v] = hn::LoadU(d, b + v * kLanes);
    row[kVectors - 1] = LoadPart<kPartial>(d, part, b + (kVectors - 1) * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const FloatVector factor = hn::Set(d, a[r]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, row[v], sums[r][v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    if (r >= t.rows) break;
    const FloatVector bias = hn::Set(d, t.bias != nullptr ? t.bias[r] : 0.0F);
    float* c = t.c + r * t.ldc;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const FloatVector y = hn::Add(sums[r][v], bias);
      if (kPartial && v + 1 == kVectors) {
        hn::BlendedStore(y, part, d, c + v * kLanes);
      } else {
        hn::StoreU(y, d, c + v * kLanes);
      }
    }
  }
}

using TileFunction = void (*)(const TileArguments&);

/// The function for a tile of `rows` rows and `columns` columns.
template <int kRows>
TileFunction ChooseTileOfRows(int64_t columns) {
  if (columns == kTileColumns) return RunTile<kRows, kTileVectors, false>;
  return columns > kLanes ? RunTile<kRows, kTileVectors, true> : RunTile<kRows, 1, true>;
}

template <int kRows = kMostRows>
TileFunction ChooseTile(int64_t rows, int64_t columns) {
  if constexpr (kRows > kFewestRows) {
    if (rows < kRows) return ChooseTile<kRows - 1>(rows, columns);
  }
  return ChooseTileOfRows<kRows>(columns);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
