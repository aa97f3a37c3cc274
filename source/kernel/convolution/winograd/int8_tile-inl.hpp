// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#undef KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_WINOGRAD_INT8_TILE_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/winograd/int8_transform-inl.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/int16/word_product.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<int16_t>;
using WordVector = hn::Vec<Words>;
using Sums = hn::CappedTag<int32_t, kWordColumns>;
using SumVector = hn::Vec<Sums>;

/// A tile of (m + 2) x (m + 2) pixels to transform. `image` is the address of its pixel (0, 0), which need not exist.
struct ByteTile {
  const uint8_t* image;
  int64_t row;    ///< stride between rows
  int64_t pixel;  ///< stride between pixels
  InsideRange rows;
  InsideRange columns;
  int64_t channels;
  int16_t padding;  ///< what stands outside of the image
  int16_t* words;   ///< (m + 2)^2 planes of as many numbers, and a zero behind an odd number
  int64_t plane;    ///< stride between them
};

/// Transforms a vector's channels from `channel` on, read and written by `bytes` and `words`. `whole`: no pixel lies
/// outside of the image.
template <int m, bool whole, class PartOfBytes, class PartOfWords>
HWY_INLINE void TransformChannels(const ByteTile& tile, int64_t channel, const PartOfBytes& bytes,
                                  const PartOfWords& words) {
  constexpr int kSize = m + 2;
  WordVector values[kSize][kSize];
#pragma GCC unroll 6
  for (int y = 0; y < kSize; ++y) {
    const uint8_t* const row = tile.image + y * tile.row + channel;
#pragma GCC unroll 6
    for (int x = 0; x < kSize; ++x) {
      const bool inside = whole || (tile.rows.Contains(y) && tile.columns.Contains(x));
      values[y][x] = inside ? hn::PromoteTo(Words(), bytes.Load(row + x * tile.pixel)) : hn::Set(Words(), tile.padding);
    }
    IntegerTransform<m>::Image(values[y]);
  }
#pragma GCC unroll 6
  for (int x = 0; x < kSize; ++x) {
    WordVector column[kSize];
#pragma GCC unroll 6
    for (int y = 0; y < kSize; ++y) column[y] = values[y][x];
    IntegerTransform<m>::Image(column);
#pragma GCC unroll 6
    for (int y = 0; y < kSize; ++y) words.Store(column[y], tile.words + (kSize * y + x) * tile.plane + channel);
  }
}

template <int m, bool whole>
void TransformChannelsOf(const ByteTile& tile) {
  using Bytes = hn::Rebind<uint8_t, Words>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(Words()));
  int64_t channel = 0;
  for (; channel + lanes <= tile.channels; channel += lanes) {
    TransformChannels<m, whole>(tile, channel, WholeLanes<Bytes>(), WholeLanes<Words>());
  }
  if (channel < tile.channels) {
    const int64_t rest = tile.channels - channel;
    TransformChannels<m, whole>(tile, channel, PartialLanes<Bytes>(rest), PartialLanes<Words>(rest));
  }
}

template <int m>
void TransformBytes(const ByteTile& tile) {
  const bool whole = tile.rows.Length() == m + 2 && tile.columns.Length() == m + 2;
  whole ? TransformChannelsOf<m, true>(tile) : TransformChannelsOf<m, false>(tile);
  if (tile.channels % 2 == 0) return;
  for (int64_t i = 0; i < WordPlanes(m); ++i) tile.words[i * tile.plane + tile.channels] = 0;
}

/// A tile's products to turn into the sums of its m x m outputs.
struct SumsTile {
  const int32_t* products;  ///< (m + 2)^2 planes
  int64_t plane;            ///< stride between them
  int64_t columns;          ///< a multiple of kWordColumns
  const int32_t* starts;    ///< what is added to each column
  int32_t* sums;            ///< m rows of m times `columns` sums
  int64_t row;              ///< stride between them
};

template <int m>
void SumTile(const SumsTile& tile) {
  constexpr int kSize = m + 2;
  const auto lanes = static_cast<int64_t>(hn::Lanes(Sums()));
  for (int64_t column = 0; column < tile.columns; column += lanes) {
    SumVector half[kSize][m];
#pragma GCC unroll 6
    for (int y = 0; y < kSize; ++y) {
      SumVector line[kSize];
#pragma GCC unroll 6
      for (int x = 0; x < kSize; ++x) {
        line[x] = hn::LoadU(Sums(), tile.products + (kSize * y + x) * tile.plane + column);
      }
      IntegerTransform<m>::Sums(line, half[y]);
    }
    const SumVector start = hn::LoadU(Sums(), tile.starts + column);
#pragma GCC unroll 4
    for (int x = 0; x < m; ++x) {
      SumVector line[kSize];
      SumVector results[m];
#pragma GCC unroll 6
      for (int y = 0; y < kSize; ++y) line[y] = half[y][x];
      IntegerTransform<m>::Sums(line, results);
      int32_t* const to = tile.sums + x * tile.columns + column;
#pragma GCC unroll 4
      for (int y = 0; y < m; ++y) {
        hn::StoreU(hn::Add(IntegerTransform<m>::Divide(results[y]), start), Sums(), to + y * tile.row);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
