// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int16/word_product.cpp"
#include "kernel/product/int16/word_product.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int16/word_tiles.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of a panel's columns fill one vector or several.
using Sums = hn::CappedTag<int32_t, kWordColumns>;
using SumVector = hn::Vec<Sums>;

/// `sum` plus the products of pairs of words, which fill a lane each.
HWY_INLINE SumVector AddPairs(SumVector sum, SumVector a, SumVector b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  const hn::Repartition<int16_t, Sums> words;
  SumVector others = hn::Zero(Sums());  // left alone: a lane's two products are added on this architecture
  return hn::ReorderWidenMulAccumulate(Sums(), hn::BitCast(words, a), hn::BitCast(words, b), sum, others);
#else
  const SumVector low = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)), hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
  return hn::Add(sum, hn::Add(low, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b))));
#endif
}

/// Tiles of `rows` rows by one panel, of which one or two vectors are multiplied at a time.
struct WordTiles {
  static constexpr int kVectors = 1;
  static constexpr int Height(int64_t /*panels*/) { return 6; }

  template <int kRows, int kPanels>
  static void Run(const WordProduct& p, int64_t row, int64_t column, ComingWeight coming) {
    constexpr int64_t kLanes = hn::MaxLanes(Sums());
    constexpr int kVectors = kLanes < kWordColumns ? 2 : 1;
    const int16_t* const a = p.a + row * p.depth;
    for (int64_t part = 0; part < kWordColumns; part += kVectors * kLanes) {
      const int16_t* weight = p.weight + column * p.depth + 2 * part;
      SumVector sums[kRows][kVectors];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(Sums());
      }
      for (int64_t k = 0; k < p.depth; k += 2, weight += 2 * kWordColumns) {
        coming.Fetch();
        SumVector factors[kVectors];
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          factors[v] = hn::LoadU(Sums(), reinterpret_cast<const int32_t*>(weight) + v * kLanes);
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          const SumVector both = hn::Set(Sums(), PairAt(a + r * p.depth + k));
#pragma GCC unroll 2
          for (int v = 0; v < kVectors; ++v) sums[r][v] = AddPairs(sums[r][v], both, factors[v]);
        }
      }
      int32_t* const to = p.sums + row * p.columns + column + part;
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], Sums(), to + r * p.columns + v * kLanes);
      }
    }
  }
};

}  // namespace

void MultiplyPanels(const WordProduct& product) { MultiplyByTiles<WordTiles>(product); }

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(MultiplyPanels);

void MultiplyWords(const WordProduct& product, [[maybe_unused]] Int8Unit unit) {
#if defined(__x86_64__)
  if (unit == Int8Unit::kAvx512Vnni || unit == Int8Unit::kAmx) return MultiplyWordsByVnni(product);
  if (unit == Int8Unit::kAvxVnni) return MultiplyWordsByAvxVnni(product);
#endif
  KUIPER_SIMD(MultiplyPanels)(product);
}

}  // namespace kuiper_infer::kernel
#endif
