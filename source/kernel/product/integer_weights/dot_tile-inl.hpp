// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/integer_weights/dot_units-inl.hpp"
#include "kernel/product/integer_weights/packed_parameters-inl.hpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// What a tile of rounded rows and a panel reads; pointers are to the tile's own corner.
struct DotTile {
  RoundedRowLayout layout;
  const int8_t* rows;
  const float* scales;          ///< of the rows' blocks: (rows, blocks)
  const int32_t* offsets;       ///< of the rows' blocks: (rows, blocks)
  const uint8_t* words;         ///< of the panel
  PackedParameters parameters;  ///< (groups, parameter_count, vectors * kLanes)
  int64_t parameter_count;      ///< 1, a scale, or 2, a scale and a minimum
  const uint8_t* next;          ///< prefetched for the next tiles
  int64_t next_stride;          ///< bytes that are prefetched with each row of words
};

/// The most rows of a tile that reads parameters in half precision.
constexpr int kMostHalfRows = 2;

/// Formats with the same words share the tiles. `kHalves` tells whether the parameters are in half precision, as they
/// are for few rows: a step of few rows takes the time of reading the weight, but a tile of more rows gets slower by
/// more than it saves.
template <class UnsignedRow, class Unit, bool kHalves>
struct DotTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return kHalves ? kMostHalfRows : Unit::kHeight; }

  template <int kRows, int kVectors>
  static void Run(DotTile t, const TileEpilogue& result) {
    constexpr int64_t kWidth = kVectors * kLanes;
    // The totals are kept in memory, because integer sums fill the registers.
    alignas(kCacheLine) float totals[kRows * kWidth] = {};
    alignas(kCacheLine) float converted[2 * kWidth];
    for (int64_t group = 0; group < t.layout.groups; ++group) {
      const float* const scales = Next<kHalves, kVectors>(t.parameters, converted);
      const float* const minimums =
          t.parameter_count == 2 ? Next<kHalves, kVectors>(t.parameters, converted + kWidth) : nullptr;
      for (int64_t left = t.layout.group_depth(); left > 0; left -= kMostRoundedBlock) {
        IntegerVector sums[kRows][kVectors];
        StartSums(t, sums);
        AddBlock(t, DivideUp(std::min(left, kMostRoundedBlock), UnsignedRow::kDepth), sums);
        if (minimums == nullptr) {
          AddToTotals<false>(t, scales, minimums, sums, totals);
        } else {
          AddToTotals<true>(t, scales, minimums, sums, totals);
        }
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
    StoreSums<false>(result, sums);
  }

 private:
  /// Returns the next kVectors vectors of parameters as floats.
  template <bool kInHalves, int kVectors>
  static HWY_INLINE const float* Next(PackedParameters& parameters, float* converted) {
    const float* const floats = parameters.InFloats<kInHalves, kVectors>(converted);
    parameters.Skip(kVectors * kLanes);
    return floats;
  }

  /// Without a minimum, what is missing to integers without signs is the same for all columns.
  template <int kRows, int kVectors>
  static HWY_INLINE void StartSums(const DotTile& t, IntegerVector (&sums)[kRows][kVectors]) {
    const int64_t blocks = t.layout.blocks();
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const IntegerVector start = hn::Set(Integers(), t.parameter_count == 1 ? t.offsets[r * blocks] : 0);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = start;
    }
  }

  /// Adds the products of `count` rows of words, and goes on to what lies behind them.
  template <int kRows, int kVectors>
  static HWY_INLINE void AddBlock(DotTile& t, int64_t count, IntegerVector (&sums)[kRows][kVectors]) {
    constexpr int64_t kTogether = Unit::kWordsTogether;
    if constexpr (kTogether == 0) return AddWords(t, count, sums);
    for (int64_t left = count; left > 0; left -= kTogether) {
      IntegerVector pairs[kRows][kVectors];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) pairs[r][v] = hn::Zero(Integers());
      }
      AddWords(t, std::min(left, kTogether), pairs);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Add(sums[r][v], Unit::SumsOf(pairs[r][v]));
      }
    }
  }

  template <int kRows, int kVectors>
  static HWY_INLINE void AddWords(DotTile& t, int64_t count, IntegerVector (&sums)[kRows][kVectors]) {
    constexpr int64_t kAhead = 4096;  // bytes of the panel that are on their way
    const int64_t ld = t.layout.ld();
    const int8_t* a = t.rows;
    const uint8_t* words = t.words;
    for (int64_t i = 0; i < count; ++i, a += UnsignedRow::kDepth * Unit::kParts, words += kVectors * kWordBytes) {
      __builtin_prefetch(t.next, 0, 2);
      __builtin_prefetch(t.next + t.next_stride / 2, 0, 2);  // two tiles prefetch more than a cache line
      t.next += t.next_stride;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(words + kAhead + v * kWordBytes);
      AddQuads<0>(a, ld, words, sums);
      if constexpr (UnsignedRow::kDepth == 8) AddQuads<1>(a + 4 * Unit::kParts, ld, words, sums);
    }
    t.rows = a;
    t.words = words;
  }

  template <int kQuad, int kRows, int kVectors>
  static HWY_INLINE void AddQuads(const int8_t* a, int64_t ld, const uint8_t* words,
                                  IntegerVector (&sums)[kRows][kVectors]) {
    AddPart<kQuad, 0>(a, ld, words, sums);
    if constexpr (Unit::kParts == 2) AddPart<kQuad, 1>(a + 4, ld, words, sums);
  }

  template <int kQuad, int kPart, int kRows, int kVectors>
  static HWY_INLINE void AddPart(const int8_t* a, int64_t ld, const uint8_t* words,
                                 IntegerVector (&sums)[kRows][kVectors]) {
    WordVector parts[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      parts[v] = Unit::template PartOf<kPart>(UnsignedRow::template Quads<kQuad>(WordsAt(words + v * kWordBytes)));
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      uint32_t four = 0;
      std::memcpy(&four, a + r * ld, sizeof(four));
      const WordVector row = hn::Set(Words(), four);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = Unit::AddDot(sums[r][v], parts[v], row);
    }
  }

  /// `minimums` is read if kMinimums.
  template <bool kMinimums, int kRows, int kVectors>
  static HWY_INLINE void AddToTotals(const DotTile& t, const float* scales, const float* minimums,
                                     const IntegerVector (&sums)[kRows][kVectors], float* totals) {
    const Floats d;
    const int64_t blocks = t.layout.blocks();
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const FloatVector scale = hn::LoadU(d, scales + v * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const FloatVector row_scale = hn::Set(d, t.scales[r * blocks]);
        float* const to = totals + (r * kVectors + v) * kLanes;
        FloatVector total = FusedMultiplyAdd(hn::ConvertTo(d, sums[r][v]), hn::Mul(scale, row_scale), hn::Load(d, to));
        if constexpr (kMinimums) {
          const FloatVector minimum = hn::LoadU(d, minimums + v * kLanes);
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
