// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_SCORE_TILES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_SCORE_TILES_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_SCORE_TILES_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_SCORE_TILES_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/attention/cache_elements-inl.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/four_results-inl.hpp"
#include "kernel/product/choose_tile.hpp"
#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Rows of queries by a block of keys. Rows of scores are kBlockKeys apart.
template <class T>
struct ScoreBlock {
  const float* query;
  int64_t query_pitch;
  const T* keys;
  int64_t key_stride;
  int64_t width;
  int64_t rows;
  int64_t columns;  ///< keys, at most kBlockKeys
  float* scores;
  const T* next;  ///< the next block's keys, which DotScores prefetches; next_stride apart
  int64_t next_stride;
};

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void StoreLaneSums(const FloatVector (&v)[4], float* to) {
  for (int j = 0; j < 4; ++j) to[j] = hn::GetLane(v[j]);
}
#else
/// Writes the sum of the lanes of each vector.
HWY_INLINE void StoreLaneSums(const FloatVector (&v)[4], float* to) {
  const auto sum = [](const auto a, const auto b) HWY_ATTR { return hn::Add(a, b); };
  hn::StoreU(FourResults(Floats(), v, sum), hn::FixedTag<float, 4>(), to);
}
#endif
HWY_INLINE void StoreLaneSums(const FloatVector (&v)[1], float* to) {
  *to = hn::GetLane(hn::SumOfLanes(Floats(), v[0]));
}

/// Prefetches the cache lines that begin at element `k` of rows.
template <int kRows, class T>
HWY_INLINE void PrefetchRows(const T* rows, int64_t stride, int64_t k) {
  constexpr int64_t kLine = kCacheLine / static_cast<int64_t>(sizeof(T));
  if (kLine > kLanes && k % kLine != 0) return;
#pragma GCC unroll 4
  for (int j = 0; j < kRows; ++j) __builtin_prefetch(rows + j * stride, 0, 2);
}

/// Scores of few rows: dot products of queries and keys where they lie. Each lane of a vector sums every kLanes-th
/// product, and the lanes are summed at the end. Keys are read once for all rows of a tile.
template <class T>
struct DotTiles {
  static constexpr int kHeight = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2;

  template <int kRows, int kKeys>
  static HWY_INLINE void Keys(const ScoreBlock<T>& b, const CacheElements<T>& elements, int64_t first) {
    const Floats d;
    FloatVector sums[kRows][kKeys];
    ClearSums(sums);
    const T* const keys = b.keys + first * b.key_stride;
    const T* const next = b.next + first * b.next_stride;
    const auto add = [&](int64_t k, const auto& load) HWY_ATTR {
      FloatVector key[kKeys];
      PrefetchRows<kKeys>(next + k, b.next_stride, k);
#pragma GCC unroll 4
      for (int j = 0; j < kKeys; ++j) key[j] = load(keys + j * b.key_stride + k);
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const FloatVector query = hn::LoadU(d, b.query + r * b.query_pitch + k);
#pragma GCC unroll 4
        for (int j = 0; j < kKeys; ++j) sums[r][j] = hn::MulAdd(query, key[j], sums[r][j]);
      }
    };
    const int64_t whole = RoundDown(b.width, kLanes);
    for (int64_t k = 0; k < whole; k += kLanes) {
      add(k, [](const T* from) HWY_ATTR { return CacheElements<T>::Whole(from); });
    }
    if (whole < b.width) add(whole, [&](const T* from) HWY_ATTR { return elements.Partial(from); });
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) StoreLaneSums(sums[r], b.scores + r * kBlockKeys + first);
  }

  template <int kRows>
  static void Run(const ScoreBlock<T>& b) {
    const CacheElements<T> elements(b.width % kLanes);
    int64_t j = 0;
    for (; j + 4 <= b.columns; j += 4) Keys<kRows, 4>(b, elements, j);
    for (; j < b.columns; ++j) Keys<kRows, 1>(b, elements, j);
  }
};

template <class T>
void DotScores(ScoreBlock<T> b) {
  for (int64_t left = b.rows; left > 0;) {
    const int64_t rows = EvenTileHeight(left, DotTiles<T>::kHeight);
    ChooseTileOfRows<DotTiles<T>>(rows)(b);
    b.query += rows * b.query_pitch;
    b.scores += rows * kBlockKeys;
    left -= rows;
  }
}

/// Micro-kernel tiles for many rows: queries by a panel of transposed keys.
struct PanelScores {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t vectors) { return std::min(kTileHeights[vectors - 1], 8); }
  template <int kRows, int kVectors>
  static void Run(const WeightTile& t, float* scores) {
    FloatVector sums[kRows][kVectors];
    ClearSums(sums);
    SumProducts(t, sums);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::Store(sums[r][v], Floats(), scores + r * kBlockKeys + v * kLanes);
    }
  }
};

/// Scores of many rows. The keys are transposed into `panel`, of RoundUp(width, vector) * kBlockKeys floats.
inline void PanelizedScores(const ScoreBlock<float>& b, float* panel) {
  for (int64_t first = 0; first < b.columns; first += kPanelColumns) {
    const int64_t columns = std::min(kPanelColumns, b.columns - first);
    const int64_t vectors = DivideUp(columns, kLanes);
    const int64_t pitch = vectors * kLanes;
    CopyTransposed(columns, b.width, b.keys + first * b.key_stride, b.key_stride, panel, pitch);
    for (int64_t k = 0; columns < pitch && k < b.width; ++k) {
      std::fill(panel + k * pitch + columns, panel + (k + 1) * pitch, 0.0F);
    }
    WeightTile tile{1, 0, b.width, b.query, b.query_pitch, panel, panel, 0, {}};
    float* scores = b.scores + first;
    for (int64_t left = b.rows; left > 0;) {
      const int64_t rows = EvenTileHeight(left, PanelScores::Height(vectors));
      ChooseTile<PanelScores>(vectors, rows)(tile, scores);
      tile.a += rows * b.query_pitch;
      scores += rows * kBlockKeys;
      left -= rows;
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
