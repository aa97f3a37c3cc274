// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_TILES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_TILES_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_TILES_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_TILES_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/float32/pair_tile-inl.hpp"
#include "kernel/product/float32/panel_blocks-inl.hpp"
#include "kernel/product/float32/tile-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Multiplies a task's rows of floats by its part of a panel, which lies at `weight`, in tiles of equal height. Each
/// tile prefetches its share of `next`, the part of the weight that is multiplied afterwards.
inline void MultiplyPanelTiles(const PanelTask& task, const float* weight, const float* next) {
  const Product& p = task.product;
  const int64_t vectors = PanelVectors(p.columns, task.panel);
  const int64_t count = task.block.count;
  const bool pairs = PairsRows(std::min(p.columns - task.panel * kPanelColumns, kPanelColumns)) && count > 1;
  const int64_t step = pairs ? 2 : 1;  // the rows of a tile are a multiple of it
  const int64_t height = pairs ? PairTiles::Height(vectors - 1) : kTileHeights[vectors - 1];
  const int64_t steps = count / step;
  const int64_t tiles = DivideUp(steps, height);
  const PanelEpilogue results = EpilogueOf(task);
  WeightTile tile{task.left.segments,
                  task.left.segment_stride,
                  task.left.segments == 1 ? task.block.depth : task.left.depth,
                  static_cast<const float*>(task.left.data),
                  task.left.ld,
                  weight,
                  next,
                  vectors * kLanes / tiles + 1,
                  results.From(task.block.first)};
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
