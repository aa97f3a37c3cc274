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

#include "kernel/float_lanes-inl.hpp"
#include "kernel/product/choose_tile.hpp"
#include "kernel/product/float32/pair_tile-inl.hpp"
#include "kernel/product/float32/panel_blocks-inl.hpp"
#include "kernel/product/float32/tile-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Tiles whose residual and results are float32.
struct FloatResults {
  void Before(int64_t /*rows*/, TileEpilogue& /*result*/) {}
  void Behind(int64_t /*rows*/, const TileEpilogue& /*result*/) {}
};

/// Tiles whose residual or results are bfloat16: the residual is widened before a tile, the results are rounded after
/// it.
class RoundedResults {
 public:
  static bool Suits(const Product& p) {
    const ProductMatrix<const void*>& residual = p.epilogue.residual;
    return p.c.type == RuntimeDataType::kTypeBFloat16 ||
           (residual.data != nullptr && residual.type == RuntimeDataType::kTypeBFloat16);
  }

  explicit RoundedResults(const PanelTask& task)
      : c_(task.product.c),
        residual_(task.product.epilogue.residual),
        place_(task.panel * kPanelColumns),
        row_(task.block.first) {}

  /// Prepares the next tile.
  void Before(int64_t rows, TileEpilogue& result) {
    if (c_.type == RuntimeDataType::kTypeBFloat16) {
      result.c = sums_;
      result.ldc = kPanelColumns;
    }
    if (residual_.data == nullptr || residual_.type != RuntimeDataType::kTypeBFloat16) return;
    const auto* from = static_cast<const uint16_t*>(residual_.data) + row_ * residual_.ld + place_;
    for (int64_t r = 0; r < rows; ++r) {
      ConvertFloats(from + r * residual_.ld, result.columns, widened_ + r * kPanelColumns);
    }
    result.residual = widened_;
    result.residual_ld = kPanelColumns;
  }

  /// Writes what a tile has computed.
  void Behind(int64_t rows, const TileEpilogue& result) {
    auto* const to = static_cast<uint16_t*>(c_.data) + row_ * c_.ld + place_;
    row_ += rows;
    if (c_.type != RuntimeDataType::kTypeBFloat16) return;
    for (int64_t r = 0; r < rows; ++r) ConvertFloats(sums_ + r * kPanelColumns, result.columns, to + r * c_.ld);
  }

 private:
  const ProductMatrix<void*>& c_;
  const ProductMatrix<const void*>& residual_;
  int64_t place_;
  int64_t row_;
  alignas(kCacheLine) float sums_[kTileHeights[0] * kPanelColumns];
  alignas(kCacheLine) float widened_[kTileHeights[0] * kPanelColumns];
};

/// Multiplies a task's rows of floats by its part of a panel, which lies at `weight`, in tiles of equal height, whose
/// residual and results are stored as `Stored` says. Each tile prefetches its share of `next`, the part of the weight
/// that is multiplied next.
template <class Stored>
HWY_INLINE void MultiplyTiles(const PanelTask& task, const float* weight, const float* next, Stored& stored) {
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
    stored.Before(rows, tile.result);
    function(tile);
    results.Finish(tile.result, rows);
    stored.Behind(rows, tile.result);
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

HWY_NOINLINE void MultiplyRoundedTiles(const PanelTask& task, const float* weight, const float* next) {
  RoundedResults stored(task);
  MultiplyTiles(task, weight, next, stored);
}

inline void MultiplyPanelTiles(const PanelTask& task, const float* weight, const float* next) {
  if (kStoresBFloat16 && RoundedResults::Suits(task.product)) return MultiplyRoundedTiles(task, weight, next);
  FloatResults stored;
  MultiplyTiles(task, weight, next, stored);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
