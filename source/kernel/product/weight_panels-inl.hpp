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
#include "kernel/product/product_cut.hpp"
#include "kernel/product/tile_result.hpp"
#include "kernel/product/weight_tile-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{64} << 10;
/// The depth of a panel of the weight that stays in the first-level cache while the rows pass.
constexpr int64_t kDepthBlock = 192;
/// The number of floats of the rows that are multiplied by one panel after the other while they stay in the
/// second-level cache.
constexpr int64_t kRowBlockFloats = int64_t{192} << 10;

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
  return {p, column, std::min(p.columns - column, kPanelColumns), k == 0, k + DepthBlock(p) >= p.depth};
}

/// Computes the rows [first, last) of the product by one panel of the weight from row k on, which lies at `weight`, in
/// tiles of equal height. `next` is the part of the weight that comes afterwards, from afar: each tile fetches its
/// share.
inline void MultiplyPanel(const WeightProduct& p, int64_t panel, int64_t k, int64_t first, int64_t last,
                          const float* weight, const float* next) {
  const int64_t vectors = PanelVectors(p.columns, panel);
  const bool pairs = PairsRows(std::min(p.columns - panel * kPanelColumns, kPanelColumns)) && last - first > 1;
  const int64_t step = pairs ? 2 : 1;  // the rows of a tile are a multiple of it
  const int64_t height = pairs ? PairTiles::Height(vectors - 1) : kTileHeights[vectors - 1];
  const int64_t steps = (last - first) / step;
  const int64_t tiles = DivideUp(steps, height);
  const TileResults results = PanelResults(p, panel, k);
  WeightTile tile{};
  tile.segments = p.segments;
  tile.segment_stride = p.segment_stride;
  tile.depth = std::min(DepthBlock(p), p.depth - k);
  tile.lda = tile.depth > 0 ? p.lda : 0;  // rows without numbers may lie nowhere
  tile.weight = weight;
  tile.next_stride = vectors * kLanes / tiles + 1;
  tile.a = static_cast<const float*>(p.a) + first * tile.lda + k;
  tile.next = next;
  tile.result = results.From(first);
  const auto run = [&](auto function, int64_t rows) {
    function(tile);
    results.Finish(tile.result, rows);
    tile.a += rows * tile.lda;
    tile.next += tile.depth * tile.next_stride;
    tile.result.Advance(rows);
  };
  const auto choose = [&](int64_t count) {
    return pairs ? ChooseTile<PairTiles>(vectors - 1, count) : ChooseTile<WeightTiles>(vectors, count);
  };
  // The heights are EvenTileHeight's, without its divisions between tiles, on which the next one's addresses would
  // wait.
  const int64_t low = steps / tiles;
  const int64_t high_tiles = steps % tiles;
  const auto run_high = choose(DivideUp(steps, tiles));
  const auto run_low = choose(low);
  for (int64_t i = 0; i < high_tiles; ++i) run(run_high, (low + 1) * step);
  for (int64_t i = high_tiles; i < tiles; ++i) run(run_low, low * step);
  if (pairs && (last - first) % 2 == 1) run(ChooseTile<WeightTiles>(vectors, 1), 1);
}

/// Computes the product block by block, spread over threads by rows or by columns of tiles. A thread reads the weight
/// through a Panels(p) of its own: Multiply(panel, k, first row, last row, panel and k of the coming block).
template <class Panels>
void MultiplyInPanels(const WeightProduct& p) {
  if (p.rows == 0 || p.columns == 0) return;
  const int64_t panels = DivideUp(p.columns, kPanelColumns);
  const int64_t height = kTileHeights[PanelVectors(p.columns, 0) - 1];
  const int64_t tiles = DivideUp(p.rows, height);
  const int64_t block = std::max<int64_t>(1, kRowBlockFloats / std::min(p.depth + 1, kDepthBlock) / height) * height;
  const auto multiply = [&](int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) {
    Panels weight(p);
    for (int64_t row = first_row; row < last_row; row += block) {
      for (int64_t panel = first_panel; panel < last_panel; ++panel) {
        const int64_t following =
            panel + 1 < last_panel ? panel + 1 : PanelBehind(first_panel, last_panel, panels, row + block < last_row);
        for (int64_t k = 0; k == 0 || k < p.depth; k += DepthBlock(p)) {
          const bool last = k + DepthBlock(p) >= p.depth;
          const int64_t next_panel = last ? following : panel;
          weight.Multiply(panel, k, row, std::min(last_row, row + block), next_panel, last ? 0 : k + DepthBlock(p));
        }
      }
    }
  };
  if (CutsColumns(p.rows, p.columns, panels, tiles, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * p.depth * p.segments * kPanelColumns + 1),
                [&](int64_t begin, int64_t end) { multiply(begin, end, 0, p.rows); });
  } else {
    ParallelFor(
        tiles, DivideUp(kWorthThread, height * p.depth * p.segments * p.columns + 1),
        [&](int64_t begin, int64_t end) { multiply(0, panels, begin * height, std::min(p.rows, end * height)); });
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
