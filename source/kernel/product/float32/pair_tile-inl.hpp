// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PAIR_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PAIR_TILE_INL_HPP_
#undef KUIPER_KERNEL_PAIR_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_PAIR_TILE_INL_HPP_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "kernel/limits-inl.hpp"
#include "kernel/product/float32/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

constexpr int64_t kHalf = kLanes / 2;

/// Whether pairs of rows share the last vector of a panel of `columns` columns. They do with AVX-512, whose vectors are
/// long and whose registers are many, if the columns fill that vector at most by half. They don't if it is the panel's
/// only vector: loading the numbers of two rows would take as long as its multiply-adds.
constexpr bool PairsRows(int64_t columns) {
  const int64_t rest = columns % kLanes;
  return HWY_TARGET <= HWY_AVX3 && columns > kLanes && 0 < rest && rest <= kHalf;
}

#if HWY_TARGET <= HWY_AVX3

/// Writes the sums of the last columns of pairs of rows: the even row's in a vector's lower half, the odd row's in its
/// upper one. `result` is that of these columns.
template <int kPairs>
HWY_INLINE void StorePairs(TileEpilogue result, FloatVector (&sums)[kPairs][1]) {
  const Floats d;
  const auto below = [&](int64_t lanes) HWY_ATTR { return hn::FirstN(d, static_cast<std::size_t>(lanes)); };
  const auto even = below(result.columns);
  const auto odd = hn::AndNot(below(kHalf), below(kHalf + result.columns));
  const auto load = [&](const float* row, int64_t ld) HWY_ATTR {
    return hn::Or(hn::MaskedLoad(even, d, row), hn::MaskedLoad(odd, d, row + ld - kHalf));
  };
  const FloatVector bias = result.bias != nullptr ? load(result.bias, 0) : hn::Zero(d);
  const FloatVector least = hn::Set(d, result.least);
  const FloatVector most = hn::Set(d, result.most);
#pragma GCC unroll 16
  for (int pair = 0; pair < kPairs; ++pair) {
    FloatVector& sum = sums[pair][0];
    if (result.residual != nullptr) {
      sum = hn::Add(sum, load(result.residual + 2 * pair * result.residual_ld, result.residual_ld));
    }
    sum = hn::Add(sum, bias);
  }
  DispatchFloatTileFunction(
      result.function, [&](auto function) HWY_ATTR __attribute__((always_inline)) {
#pragma GCC unroll 16
        for (int pair = 0; pair < kPairs; ++pair) {
          const FloatVector y = ResultOf<decltype(function)::value>(sums[pair][0], least, most);
          float* const c = result.c + 2 * pair * result.ldc;
          hn::BlendedStore(y, even, d, c);
          hn::BlendedStore(y, odd, d, c + result.ldc - kHalf);
        }
      });
}

/// Tiles of pairs of rows by whole vectors and the last vector, which both rows of a pair share, so that no
/// multiply-add is spent on columns that aren't there. Each result is the same sum as by WeightTiles.
struct PairTiles {
  static constexpr int kVectors = kPanelVectors - 1;
  static constexpr int kHeights[kVectors] = {8, 4, 3};  // of pairs
  static constexpr int Height(int64_t whole) { return kHeights[whole - 1]; }

  template <int kPairs, int kWhole>
  static void Run(const WeightTile& t) {
    const Floats d;
    FloatVector sums[2 * kPairs][kWhole];
    FloatVector shared[kPairs][1];
    ClearSums(sums);
    ClearSums(shared);
    const auto first_half = hn::FirstN(d, kHalf);
    const float* weight = t.weight;
    const float* next = t.next;
    for (int64_t segment = 0; segment < t.segments; ++segment) {
      const float* a = t.a + segment * t.segment_stride;
      // Not unrolled: see UnrollsDepth.
      for (int64_t k = 0; k < t.depth; ++k, ++a, weight += (kWhole + 1) * kLanes, next += t.next_stride) {
        __builtin_prefetch(next, 0, 2);
        FloatVector row[kWhole];
#pragma GCC unroll 4
        for (int v = 0; v < kWhole; ++v) row[v] = hn::LoadU(d, weight + v * kLanes);
        const FloatVector last = hn::LoadU(d, weight + kWhole * kLanes);
        const FloatVector twice = hn::ConcatLowerLower(d, last, last);
        const float* from = a;
#pragma GCC unroll 16
        for (int pair = 0; pair < kPairs; ++pair, from += 2 * t.lda) {
          __asm__("" : "+r"(from));  // as in AddProducts
          const FloatVector even = hn::Set(d, from[0]);
          const FloatVector odd = hn::Set(d, from[t.lda]);
#pragma GCC unroll 4
          for (int v = 0; v < kWhole; ++v) {
            sums[2 * pair][v] = hn::MulAdd(even, row[v], sums[2 * pair][v]);
            sums[2 * pair + 1][v] = hn::MulAdd(odd, row[v], sums[2 * pair + 1][v]);
          }
          shared[pair][0] = hn::MulAdd(hn::IfThenElse(first_half, even, odd), twice, shared[pair][0]);
        }
      }
    }
    StoreSums(t.result.Columns(0, kWhole * kLanes), sums);
    StorePairs(t.result.Columns(kWhole * kLanes, kHalf), shared);
  }
};

#else

using PairTiles = WeightTiles;  // never chosen

#endif

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
