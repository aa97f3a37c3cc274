// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_VALUE_TILES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_VALUE_TILES_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_VALUE_TILES_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_VALUE_TILES_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/attention/cache_elements-inl.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/choose_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Rows of weights by a block of values: sums = sums * factor + weights @ values.
template <class T>
struct ValueBlock {
  const float* weights;  ///< rows kBlockKeys apart
  const float* factors;  ///< for each row, the factor of its sums so far
  const T* values;
  int64_t value_stride;
  int64_t keys;
  int64_t width;
  int64_t rows;
  float* sums;
  int64_t pitch;
  const T* next;  ///< the next block's values, which are prefetched; next_stride apart
  int64_t next_stride;
};

template <class T, bool kPartial>
struct ValueTiles {
  static constexpr int kVectors = kPartial ? 1 : (HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2);
  static constexpr int Height(int64_t /*vectors*/) { return 6; }

  template <int kRows, int kVectors>
  static void Run(const ValueBlock<T>& b) {
    const Floats d;
    const CacheElements<T> elements(kPartial ? b.width : 1);
    FloatVector sums[kRows][kVectors];
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
      const FloatVector factor = hn::Set(d, b.factors[r]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::Mul(factor, hn::Load(d, b.sums + r * b.pitch + v * kLanes));
      }
    }
    const T* values = b.values;
    const float* weights = b.weights;
    const T* next = b.next;
    constexpr int64_t kLine = kCacheLine / static_cast<int64_t>(sizeof(T));
    for (int64_t j = 0; j < b.keys; ++j, values += b.value_stride, next += b.next_stride, ++weights) {
      for (int64_t k = 0; k < kVectors * kLanes; k += kLine) __builtin_prefetch(next + k, 0, 2);
      FloatVector row[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        row[v] = kPartial ? elements.Partial(values) : CacheElements<T>::Whole(values + v * kLanes);
      }
#pragma GCC unroll 6
      for (int r = 0; r < kRows; ++r) {
        const FloatVector weight = hn::Set(d, weights[r * kBlockKeys]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(weight, row[v], sums[r][v]);
      }
    }
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::Store(sums[r][v], d, b.sums + r * b.pitch + v * kLanes);
    }
  }
};

/// Computes the first `vectors` vectors of a block's columns.
template <class Tiles, class T>
void AddValueColumns(ValueBlock<T> b, int64_t vectors) {
  for (int64_t left = b.rows; left > 0;) {
    const int64_t rows = EvenTileHeight(left, Tiles::Height(vectors));
    ChooseTile<Tiles>(vectors, rows)(b);
    b.weights += rows * kBlockKeys;
    b.factors += rows;
    b.sums += rows * b.pitch;
    left -= rows;
  }
}

template <class T>
void AddValues(ValueBlock<T> b) {
  using Whole = ValueTiles<T, false>;
  for (; b.width >= kLanes;) {
    const int64_t vectors = std::min<int64_t>(b.width / kLanes, Whole::kVectors);
    AddValueColumns<Whole>(b, vectors);
    b.values += vectors * kLanes;
    b.next += vectors * kLanes;
    b.sums += vectors * kLanes;
    b.width -= vectors * kLanes;
  }
  if (b.width > 0) AddValueColumns<ValueTiles<T, true>>(b, 1);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
