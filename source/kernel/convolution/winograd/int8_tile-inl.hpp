// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#undef KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/choose_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of a panel's columns fill one vector or several.
using Sums = hn::CappedTag<int32_t, kWordColumns>;
using SumVector = hn::Vec<Sums>;
using Words = hn::ScalableTag<int16_t>;
using WordVector = hn::Vec<Words>;

/// A tile of 4 x 4 pixels to transform.
struct ByteTile {
  const uint8_t* pixels[16];  ///< null: outside of the image
  int64_t channels;
  int16_t padding;  ///< what stands outside
  int16_t* words;   ///< 16 planes of as many numbers, and a zero behind an odd number
  int64_t plane;    ///< stride between them
};

/// Four vectors times B'.
template <class V>
HWY_INLINE void TransformLine(V (&d)[4]) {
  const V first = hn::Sub(d[0], d[2]);
  const V last = hn::Sub(d[1], d[3]);
  const V sum = hn::Add(d[1], d[2]);
  d[2] = hn::Sub(d[2], d[1]);
  d[0] = first;
  d[1] = sum;
  d[3] = last;
}

/// Transforms a vector's channels from `channel` on, read and written by `bytes` and `words`.
template <class PartOfBytes, class PartOfWords>
HWY_INLINE void TransformChannels(const ByteTile& tile, int64_t channel, const PartOfBytes& bytes,
                                  const PartOfWords& words) {
  WordVector values[4][4];
#pragma GCC unroll 4
  for (int y = 0; y < 4; ++y) {
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) {
      const uint8_t* const pixel = tile.pixels[4 * y + x];
      values[y][x] =
          pixel != nullptr ? hn::PromoteTo(Words(), bytes.Load(pixel + channel)) : hn::Set(Words(), tile.padding);
    }
    TransformLine(values[y]);
  }
#pragma GCC unroll 4
  for (int x = 0; x < 4; ++x) {
    WordVector column[4] = {values[0][x], values[1][x], values[2][x], values[3][x]};
    TransformLine(column);
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) words.Store(column[y], tile.words + (4 * y + x) * tile.plane + channel);
  }
}

/// Whole vectors, with the functions of PartialLanes.
template <class Tag>
struct WholeLanes {
  HWY_INLINE hn::Vec<Tag> Load(const hn::TFromD<Tag>* from) const { return hn::LoadU(Tag(), from); }
  HWY_INLINE void Store(const hn::Vec<Tag> v, hn::TFromD<Tag>* to) const { hn::StoreU(v, Tag(), to); }
};

void TransformBytes(const ByteTile& tile) {
  using Bytes = hn::Rebind<uint8_t, Words>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(Words()));
  int64_t channel = 0;
  for (; channel + lanes <= tile.channels; channel += lanes) {
    TransformChannels(tile, channel, WholeLanes<Bytes>(), WholeLanes<Words>());
  }
  if (channel < tile.channels) {
    const int64_t rest = tile.channels - channel;
    TransformChannels(tile, channel, PartialLanes<Bytes>(rest), PartialLanes<Words>(rest));
  }
  if (tile.channels % 2 == 0) return;
  for (int64_t i = 0; i < 16; ++i) tile.words[i * tile.plane + tile.channels] = 0;
}

/// A plane's product: sums = a x weight, modulo 2^32.
struct WordProduct {
  int64_t rows;
  int64_t depth;          ///< even
  int64_t columns;        ///< whole panels
  const int16_t* a;       ///< (rows, depth)
  const int16_t* weight;  ///< a plane of int8_weight.hpp
  int32_t* sums;          ///< (rows, columns)
};

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

/// Tiles of so many rows by up to two vectors, of one panel.
struct WordTiles {
  static constexpr int kHeight = 6;

  template <int kRows>
  static void Run(const WordProduct& p, int64_t row, int64_t column) {
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
        SumVector factors[kVectors];
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          factors[v] = hn::LoadU(Sums(), reinterpret_cast<const int32_t*>(weight) + v * kLanes);
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          int32_t pair = 0;
          std::memcpy(&pair, a + r * p.depth + k, sizeof(pair));
          const SumVector both = hn::Set(Sums(), pair);
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

void MultiplyWords(const WordProduct& p) {
  for (int64_t column = 0; column < p.columns; column += kWordColumns) {
    for (int64_t row = 0, height = 0; row < p.rows; row += height) {
      height = EvenTileHeight(p.rows - row, WordTiles::kHeight);
      ChooseTileOfRows<WordTiles>(height)(p, row, column);
    }
  }
}

/// A tile's products to turn into the sums of its 2 x 2 outputs.
struct SumsTile {
  const int32_t* products;  ///< 16 planes
  int64_t plane;
  int64_t columns;        ///< a multiple of kWordColumns
  const int32_t* starts;  ///< what is added to each column
  int32_t* upper;         ///< two rows of `columns` sums, one behind the other
  int32_t* lower;
};

/// Four vectors times A'.
HWY_INLINE void SumLine(const SumVector (&m)[4], SumVector (&y)[2]) {
  y[0] = hn::Add(m[0], hn::Add(m[1], m[2]));
  y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
}

void SumTile(const SumsTile& tile) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(Sums()));
  for (int64_t column = 0; column < tile.columns; column += lanes) {
    SumVector half[4][2];
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) {
      SumVector line[4];
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) line[x] = hn::LoadU(Sums(), tile.products + (4 * y + x) * tile.plane + column);
      SumLine(line, half[y]);
    }
    const SumVector start = hn::LoadU(Sums(), tile.starts + column);
#pragma GCC unroll 2
    for (int x = 0; x < 2; ++x) {
      SumVector result[2];
      SumLine({half[0][x], half[1][x], half[2][x], half[3][x]}, result);
      const int64_t at = x * tile.columns + column;
      hn::StoreU(hn::Add(hn::ShiftRight<2>(result[0]), start), Sums(), tile.upper + at);
      hn::StoreU(hn::Add(hn::ShiftRight<2>(result[1]), start), Sums(), tile.lower + at);
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
