// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WEIGHT_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WEIGHT_TILE_INL_HPP_
#undef KUIPER_KERNEL_WEIGHT_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_WEIGHT_TILE_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/product/float32/sums-inl.hpp"
#include "kernel/product/tile_epilogue.hpp"
#include "utils/system/cpu_info.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The instruction set that this code is compiled for.
constexpr Isa kTargetIsa = HWY_TARGET <= HWY_AVX3   ? Isa::kAvx512
                           : HWY_TARGET <= HWY_AVX2 ? Isa::kAvx2
                           : HWY_TARGET <= HWY_SSE4 ? Isa::kSse4
                                                    : Isa::kBaseline;

/// A micro-kernel tile keeps its sums in all but a few of the registers, of which AVX-512 and NEON have 32 and older
/// instruction sets 16: a wider tile has fewer rows. Multiply-adds then outnumber loads, and successive ones don't
/// depend on each other. With 28 sums no register is left for a broadcast number of the rows; only AVX-512 needs none,
/// because its multiply-add can read the number from memory.
/// WebAssembly has no fused multiply-add, and its compilers load the numbers of all rows before they multiply, so that
/// sums, numbers, the weight's vectors and a product have to fit into 15 registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kPanelVectors = 4;
constexpr int kTileHeights[kPanelVectors] = {HWY_TARGET <= HWY_AVX3 ? 28 : 14, 14, 8, 6};
#elif HWY_TARGET == HWY_SCALAR  // for tests: see kernel/CMakeLists.txt
constexpr int kPanelVectors = 2;
constexpr int kTileHeights[kPanelVectors] = {3, 2};
#elif HWY_ARCH_WASM
constexpr int kPanelVectors = 2;
constexpr int kTileHeights[kPanelVectors] = {6, 4};
#else
constexpr int kPanelVectors = 2;
constexpr int kTileHeights[kPanelVectors] = {10, 6};
#endif
constexpr int64_t kPanelColumns = kPanelVectors * kLanes;
constexpr int kAddressedRows = HWY_TARGET <= HWY_AVX3 ? 3 : kTileHeights[0];  ///< of a tile, by one pointer

/// What a micro-kernel tile reads and writes. Pointers point to the tile's first row and column.
struct WeightTile {
  int64_t segments;  ///< of the rows of a, segment_stride apart
  int64_t segment_stride;
  int64_t depth;  ///< of a segment
  const float* a;
  int64_t lda;
  const float* weight;  ///< (segments * depth, vectors * kLanes), without gaps
  const float* next;    ///< prefetched for the next tiles
  int64_t next_stride;  ///< floats that are prefetched with each row of weight
  TileEpilogue result;
};

/// Whether the loop over the depth, with `multiply_adds` of them in each step, is unrolled. In AVX-512's large tiles
/// the instructions of the loop itself cost nothing beside the multiply-adds, and unrolling only makes long code. In
/// WebAssembly an unrolled loop has an exit in each step, before which V8 stores the sums.
constexpr bool UnrollsDepth(int multiply_adds) {
  return !HWY_ARCH_WASM && (HWY_TARGET > HWY_AVX3 || multiply_adds < 12);
}

/// Adds the products of a row of the weight by the numbers of all rows at `a`, lda apart; `below` is kAddressedRows *
/// lda.
template <int kRows, int kVectors>
HWY_INLINE void AddProducts(const float* a, int64_t lda, int64_t below, const float* weight,
                            FloatVector (&sums)[kRows][kVectors]) {
  const Floats d;
  FloatVector row[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, weight + v * kLanes);
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
    if (r > 0 && r % kAddressedRows == 0) {
      a += below;
      // Otherwise GCC 12 computes the distances of many rows ahead, and has no registers for them.
      __asm__("" : "+r"(a));
    }
    const FloatVector factor = hn::Set(d, a[r % kAddressedRows * lda]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, row[v], sums[r][v]);
  }
}

template <int kRows, int kVectors>
HWY_INLINE void SumProducts(const WeightTile& t, FloatVector (&sums)[kRows][kVectors]) {
  const float* weight = t.weight;
  const int64_t lda = t.lda;
  int64_t below = kAddressedRows * lda;
  __asm__("" : "+r"(below));  // otherwise GCC 12 adds lda three times
  const float* next = t.next;
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    const float* a = t.a + segment * t.segment_stride;
    if constexpr (UnrollsDepth(kRows * kVectors)) {
#pragma GCC unroll 4
      for (int64_t k = 0; k < t.depth; ++k, ++a, weight += kVectors * kLanes, next += t.next_stride) {
        __builtin_prefetch(next, 0, 2);
        AddProducts(a, lda, below, weight, sums);
      }
    } else {
      for (int64_t k = 0; k < t.depth; ++k, ++a, weight += kVectors * kLanes, next += t.next_stride) {
        __builtin_prefetch(next, 0, 2);
        AddProducts(a, lda, below, weight, sums);
      }
    }
  }
}

struct WeightTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t vectors) { return kTileHeights[vectors - 1]; }
  template <int kRows, int kVectors>
  static void Run(const WeightTile& t) {
    FloatVector sums[kRows][kVectors];
    ClearSums(sums);
    SumProducts(t, sums);
    StoreSums(t.result, sums);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
