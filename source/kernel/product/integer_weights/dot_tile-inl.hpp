// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"
#include "kernel/product/integer_weights/rows-inl.hpp"
#include "utils/cpu_info.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

using Integers = hn::Rebind<int32_t, Floats>;
using IntegerVector = hn::Vec<Integers>;

// How the tiles add products: a unit has
//   kHeight                    the most rows of a tile
//   AddDot<Row>(sums, u, s)    the sums of 32 bits plus the products of four bytes of u and of s each: integers of
//   Row's
//                              format without signs, and signed ones. If kSigned<Row>, the least integer is added to
//                              those of u first.

/// Plain C++, with the bits of the others.
struct PortableDots {
  static constexpr int kHeight = 2;
  template <class Row>
  static constexpr bool kSigned = false;
  template <class Row>
  static IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    uint8_t left[kWordBytes];
    int8_t right[kWordBytes];
    int32_t results[kLanes];
    std::memcpy(left, &u, sizeof(left));
    std::memcpy(right, &s, sizeof(right));
    hn::StoreU(sums, Integers(), results);
    for (int64_t i = 0; i < kWordBytes; ++i) results[i / 4] += left[i] * right[i];
    return hn::LoadU(Integers(), results);
  }
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
/// AVX512_VNNI or AVX-VNNI: operations that are not among Highway's for these instruction sets.
struct VnniDots {
  static constexpr int kHeight = HWY_TARGET <= HWY_AVX3 ? 6 : 5;  // sums and a row of words fill the registers
  template <class Row>
  static constexpr bool kSigned = false;
  template <class Row>
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
#if HWY_TARGET <= HWY_AVX3
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(u.raw), "v"(s.raw));
#else
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.raw) : "x"(u.raw), "x"(s.raw));
#endif
    return sums;
  }
};
#endif

#if HWY_TARGET == HWY_AVX2
/// AVX2, whose products of unsigned by signed bytes add pairs up to 16 bits, no more. Pairs with integers of 4 bits
/// fit. Pairs of 8 bits fit if they are magnitudes times numbers that have taken over the signs: 2 * 128 * 127.
struct Avx2Dots {
  static constexpr int kHeight = 4;
  template <class Row>
  static constexpr bool kSigned = Row::kBits == 8;
  template <class Row>
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    __m256i pairs;
    if constexpr (kSigned<Row>) {
      static_assert(Row::kLeast == -128);
      const __m256i weights = _mm256_xor_si256(u.raw, _mm256_set1_epi8(-128));
      pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(s.raw, weights));
    } else {
      pairs = _mm256_maddubs_epi16(u.raw, s.raw);
    }
    return {_mm256_add_epi32(sums.raw, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))};
  }
};
#endif

/// a * b + c, rounded once.
HWY_INLINE FloatVector FusedMultiplyAdd(FloatVector a, FloatVector b, FloatVector c) {
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
  float x[kLanes];
  float y[kLanes];
  float z[kLanes];
  hn::StoreU(a, Floats(), x);
  hn::StoreU(b, Floats(), y);
  hn::StoreU(c, Floats(), z);
  for (int64_t i = 0; i < kLanes; ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::LoadU(Floats(), z);
#else
  return hn::MulAdd(a, b, c);
#endif
}

/// What a tile of rounded rows and a panel reads; pointers are to the tile's own corner.
struct DotTile {
  RoundedRowLayout layout;
  const int8_t* rows;
  const float* scales;      ///< of the rows' blocks: (rows, blocks)
  const int32_t* offsets;   ///< likewise
  const uint8_t* words;     ///< of the panel
  const float* parameters;  ///< (groups, parameters, vectors * kLanes)
  const uint8_t* next;      ///< what the coming tiles read: brought near meanwhile
  int64_t next_stride;      ///< bytes that are brought with each row of words
};

template <class Row, class Unit>
struct DotTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return Unit::kHeight; }

  template <int kRows, int kVectors>
  static void Run(DotTile t, const TileEpilogue& result) {
    constexpr int64_t kWidth = kVectors * kLanes;
    // In memory: the registers are full of integers.
    alignas(kCacheLine) float totals[kRows * kWidth] = {};
    for (int64_t group = 0; group < t.layout.groups; ++group, t.parameters += Row::kParameters * kWidth) {
      for (int64_t left = t.layout.group_depth(); left > 0; left -= kMostRoundedBlock) {
        IntegerVector sums[kRows][kVectors];
        StartSums(t, sums);
        AddBlock(t, DivideUp(std::min(left, kMostRoundedBlock), Row::kDepth), sums);
        AddToTotals(t, sums, totals);
        ++t.scales;
        ++t.offsets;
      }
    }
    FloatVector sums[kRows][kVectors];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Load(Floats(), totals + (r * kVectors + v) * kLanes);
    }
    StoreSums(result, sums);
  }

 private:
  /// Where integers of the weight have no signs, what is missing to them is the same for all columns.
  template <int kRows, int kVectors>
  static HWY_INLINE void StartSums(const DotTile& t, IntegerVector (&sums)[kRows][kVectors]) {
    const int64_t blocks = t.layout.blocks();
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      constexpr bool kMissing = Row::kLeast != 0 && !Unit::template kSigned<Row>;
      const IntegerVector start = kMissing ? hn::Set(Integers(), t.offsets[r * blocks]) : hn::Zero(Integers());
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = start;
    }
  }

  /// Adds the products of `count` rows of words, and goes on to what lies behind them.
  template <int kRows, int kVectors>
  static HWY_INLINE void AddBlock(DotTile& t, int64_t count, IntegerVector (&sums)[kRows][kVectors]) {
    constexpr int64_t kAhead = 4096;  // bytes of the panel that are on their way
    const int64_t ld = t.layout.ld();
    const int8_t* a = t.rows;
    const uint8_t* words = t.words;
    for (int64_t i = 0; i < count; ++i, a += Row::kDepth, words += kVectors * kWordBytes) {
      __builtin_prefetch(t.next, 0, 2);
      t.next += t.next_stride;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(words + kAhead + v * kWordBytes);
      AddQuads<0>(a, ld, words, sums);
      if constexpr (Row::kDepth == 8) AddQuads<1>(a + 4, ld, words, sums);
    }
    t.rows = a;
    t.words = words;
  }

  template <int kQuad, int kRows, int kVectors>
  static HWY_INLINE void AddQuads(const int8_t* a, int64_t ld, const uint8_t* words,
                                  IntegerVector (&sums)[kRows][kVectors]) {
    WordVector quads[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) quads[v] = Row::template Quads<kQuad>(WordsAt(words + v * kWordBytes));
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      uint32_t four = 0;
      std::memcpy(&four, a + r * ld, sizeof(four));
      const WordVector row = hn::Set(Words(), four);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = Unit::template AddDot<Row>(sums[r][v], quads[v], row);
    }
  }

  template <int kRows, int kVectors>
  static HWY_INLINE void AddToTotals(const DotTile& t, const IntegerVector (&sums)[kRows][kVectors], float* totals) {
    const Floats d;
    const int64_t blocks = t.layout.blocks();
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const FloatVector scale = hn::LoadU(d, t.parameters + v * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const FloatVector row_scale = hn::Set(d, t.scales[r * blocks]);
        float* const to = totals + (r * kVectors + v) * kLanes;
        FloatVector total = FusedMultiplyAdd(hn::ConvertTo(d, sums[r][v]), hn::Mul(scale, row_scale), hn::Load(d, to));
        if constexpr (Row::kParameters == 2) {
          const FloatVector minimum = hn::LoadU(d, t.parameters + (kVectors + v) * kLanes);
          const FloatVector sum = hn::ConvertTo(d, hn::Set(Integers(), t.offsets[r * blocks]));
          total = FusedMultiplyAdd(minimum, hn::Mul(sum, row_scale), total);
        }
        hn::Store(total, d, to);
      }
    }
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
