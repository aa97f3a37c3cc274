// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/integer_weights/packed_parameters-inl.hpp"
#include "kernel/product/integer_weights/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Some rows of some vectors of a panel of integers.
struct IntegerBlock {
  PackedParameters parameters;  ///< of the block's columns: (groups, parameter_count, parameter_stride)
  const uint8_t* words;         ///< that hold the block's first row
  int64_t word_stride;          ///< bytes from one row of words to the next
  int64_t fetched;          ///< bytes from the block's words to others of the same rows, which are prefetched as well
  int64_t parameter_count;  ///< 1, a scale, or 2, a scale and a minimum
  int64_t parameter_stride;
  float least;  ///< the least integer, if groups have no minimum
  int64_t group_depth;
  int64_t first;  ///< the block's rows: [first, last) of the weight's. A word begins with the first one.
  int64_t last;

  template <int kVectors>
  HWY_INLINE void ReadParameters(int64_t group, ColumnParameters (&columns)[kVectors]) const {
    const int64_t place = group * parameter_count * parameter_stride;
    parameters.in_halves() ? ReadAs<true>(place, columns) : ReadAs<false>(place, columns);
  }

 private:
  template <bool kHalves, int kVectors>
  HWY_INLINE void ReadAs(int64_t place, ColumnParameters (&columns)[kVectors]) const {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) columns[v].scale = parameters.At<kHalves>(place + v * kLanes);
    const int64_t minimums = place + parameter_stride;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      columns[v].minimum = parameter_count == 2 ? parameters.At<kHalves>(minimums + v * kLanes)
                                                : hn::Mul(columns[v].scale, hn::Set(Floats(), least));
    }
  }
};

/// Bytes from a word that is read to the one that is prefetched meanwhile.
constexpr int64_t kFetchedAhead = 2048;

/// Calls body(k, numbers) with the numbers of row k of the weight, which is row kInWord of the words.
template <class Row, int kInWord, int kVectors, class Body>
HWY_INLINE void VisitRow(const WordVector (&words)[kVectors], const ColumnParameters (&parameters)[kVectors], int64_t k,
                         const Body& body) {
  FloatVector row[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) row[v] = parameters[v].NumbersOf(Row::template Numbers<kInWord>(words[v]));
  body(k, row);
}

/// Visits the rows of words, of which row k of the weight is the first.
template <class Row, int kVectors, class Body, int... kRows>
HWY_INLINE void VisitWords(const uint8_t* from, int64_t fetched, const ColumnParameters (&parameters)[kVectors],
                           int64_t k, const Body& body, std::integer_sequence<int, kRows...> /*rows*/) {
  WordVector words[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    __builtin_prefetch(from + kFetchedAhead + v * kWordBytes, 0, 2);
    __builtin_prefetch(from + fetched + kFetchedAhead + v * kWordBytes, 0, 2);
    words[v] = WordsAt(from + v * kWordBytes);
  }
  (VisitRow<Row, kRows>(words, parameters, k + kRows, body), ...);
}

/// Visits the block's rows one after the other, k counted from 0.
template <class Row, int kVectors, class Body>
HWY_INLINE void ForRows(const IntegerBlock& b, const Body& body) {
  const auto words_of = [&](int64_t k) { return b.words + (k - b.first) / Row::kDepth * b.word_stride; };
  for (int64_t k = b.first; k < b.last;) {
    const int64_t group = k / b.group_depth;
    const int64_t end = std::min(b.last, (group + 1) * b.group_depth);
    ColumnParameters parameters[kVectors];
    b.ReadParameters(group, parameters);
    // Words that the group has only in part, at its beginning and its end.
    const auto visit_single = [&](int64_t last) HWY_ATTR {
      for (; k < last; ++k) {
        WordVector words[kVectors];
        for (int v = 0; v < kVectors; ++v) {
          const int shift = Row::Shift(static_cast<int>((k - b.first) % Row::kDepth));
          words[v] = hn::ShiftRightSame(WordsAt(words_of(k) + v * kWordBytes), shift);
        }
        VisitRow<Row, 0>(words, parameters, k - b.first, body);
      }
    };
    visit_single(std::min(end, b.first + RoundUp(k - b.first, Row::kDepth)));
    const uint8_t* words = words_of(k);
    for (; k + Row::kDepth <= end; k += Row::kDepth, words += b.word_stride) {
      VisitWords<Row>(words, b.fetched, parameters, k - b.first, body, std::make_integer_sequence<int, Row::kDepth>());
    }
    visit_single(end);
  }
}

/// Writes the block's numbers to `target`, (rows, vectors * kLanes).
template <class Row>
struct NumberWriters {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return 1; }

  template <int kRows, int kVectors>
  static void Run(const IntegerBlock& b, float* target) {
    ForRows<Row, kVectors>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::StoreU(row[v], Floats(), target + (k * kVectors + v) * kLanes);
    });
  }
};

/// The most rows of a tile as wide as a panel, and of one of at most two vectors: making floats of integers takes
/// registers beside the sums, and each number is made once for all rows of a tile.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kWideTileHeight = 6;
constexpr int kTallTileHeight = 10;
#elif HWY_TARGET == HWY_SCALAR
constexpr int kWideTileHeight = 2;
constexpr int kTallTileHeight = 2;
#else
constexpr int kWideTileHeight = 4;
constexpr int kTallTileHeight = 4;
#endif

/// Multiplies a tile of few rows by the block, whose numbers never leave the registers.
template <class Row>
struct IntegerTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t vectors) { return vectors > 2 ? kWideTileHeight : kTallTileHeight; }

  template <int kRows, int kVectors>
  static void Run(const IntegerBlock& b, const float* a, int64_t lda, const TileEpilogue& result) {
    FloatVector sums[kRows][kVectors];
    ClearSums(sums);
    ForRows<Row, kVectors>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const FloatVector factor = hn::Set(Floats(), a[r * lda + k]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, row[v], sums[r][v]);
      }
    });
    StoreSums<false>(result, sums);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
