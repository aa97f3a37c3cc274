// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WEIGHT_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WEIGHT_PANELS_INL_HPP_
#undef KUIPER_KERNEL_WEIGHT_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_WEIGHT_PANELS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/pair_tile-inl.hpp"
#include "kernel/product/tile_result.hpp"
#include "kernel/product/weight_tile-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The depth of a panel of the weight that stays in the first-level cache while the rows pass.
constexpr int64_t kDepthBlock = 192;

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
inline int64_t PanelVectors(int64_t columns, int64_t panel) {
  return std::min<int64_t>(kPanelVectors, DivideUp(columns - panel * kPanelColumns, kLanes));
}

/// Rows of the weight that are multiplied before the next ones; rows in segments are not cut.
inline int64_t DepthBlock(const WeightProduct& p) {
  return p.segments == 1 ? kDepthBlock : std::max<int64_t>(p.depth, 1);
}

/// The results in the columns of a panel of tiles whose depth begins with row k of the weight.
inline TileResults PanelResults(const WeightProduct& p, int64_t panel, int64_t k) {
  const int64_t column = panel * kPanelColumns;
  TileResults results(p, column, std::min(p.columns - column, kPanelColumns), k == 0, k + DepthBlock(p) >= p.depth);
  results.LetTilesApplyHardswish();
  return results;
}

/// Rows [first, last) of the left factor, which lie at `a` from the column on that is multiplied, lda apart.
struct LeftRows {
  int64_t first;
  int64_t last;
  const float* a;
  int64_t lda;
};

inline LeftRows RowsFrom(const WeightProduct& p, int64_t k, int64_t first, int64_t last) {
  const int64_t lda = k < p.depth ? p.lda : 0;  // rows without numbers may lie nowhere
  return {first, last, static_cast<const float*>(p.a) + first * lda + k, lda};
}

/// Computes rows of the product by one panel of the weight from row k on, which lies at `weight`, in tiles of equal
/// height. `next` is the part of the weight that comes afterwards, from afar: each tile fetches its share.
inline void MultiplyPanel(const WeightProduct& p, int64_t panel, int64_t k, const LeftRows& left, const float* weight,
                          const float* next) {
  const int64_t vectors = PanelVectors(p.columns, panel);
  const int64_t count = left.last - left.first;
  const bool pairs = PairsRows(std::min(p.columns - panel * kPanelColumns, kPanelColumns)) && count > 1;
  const int64_t step = pairs ? 2 : 1;  // the rows of a tile are a multiple of it
  const int64_t height = pairs ? PairTiles::Height(vectors - 1) : kTileHeights[vectors - 1];
  const int64_t steps = count / step;
  const int64_t tiles = DivideUp(steps, height);
  const TileResults results = PanelResults(p, panel, k);
  WeightTile tile{p.segments,
                  p.segment_stride,
                  std::min(DepthBlock(p), p.depth - k),
                  left.a,
                  left.lda,
                  weight,
                  next,
                  vectors * kLanes / tiles + 1,
                  results.From(left.first)};
  const auto run = [&](auto function, int64_t rows) {
    function(tile);
    results.Finish(tile.result, rows);
    tile.a += rows * tile.lda;
    tile.next += tile.depth * tile.next_stride;
    tile.result.Advance(rows);
  };
  const auto choose = [&](int64_t rows) {
    return pairs ? ChooseTile<PairTiles>(vectors - 1, rows) : ChooseTile<WeightTiles>(vectors, rows);
  };
  // The heights are EvenTileHeight's, without its divisions between tiles, on which the next one's addresses would
  // wait.
  const int64_t low = steps / tiles;
  const int64_t high_tiles = steps % tiles;
  const auto run_high = choose(DivideUp(steps, tiles));
  const auto run_low = choose(low);
  for (int64_t i = 0; i < high_tiles; ++i) run(run_high, (low + 1) * step);
  for (int64_t i = high_tiles; i < tiles; ++i) run(run_low, low * step);
  if (pairs && count % 2 == 1) run(ChooseTile<WeightTiles>(vectors, 1), 1);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
