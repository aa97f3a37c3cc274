// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_BLOCKS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_BLOCKS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_BLOCKS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_FLOAT32_PANEL_BLOCKS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/panel_epilogue.hpp"
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

/// The multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{64} << 10;
/// The floats of the rows that are multiplied by one panel after the other while they stay in the second-level cache.
constexpr int64_t kRowBlockFloats = int64_t{192} << 10;

/// Rows of a product's tiles.
inline int64_t TileHeight(const Product& p) { return kTileHeights[PanelVectors(p.columns, 0) - 1]; }

/// How products of float rows that are read in place are cut. Rows in segments are not cut along their depth.
inline ProductBlocks FloatBlocks(const Product& p) {
  const int64_t height = TileHeight(p);
  const int64_t rows = kRowBlockFloats / std::min(p.depth + 1, kDepthBlock) / height * height;
  const int64_t depth = p.segments == 1 ? kDepthBlock : std::max<int64_t>(p.depth * p.segments, 1);
  return {std::max<int64_t>(rows, height), depth, height};
}

/// The epilogue of a task's panel.
inline PanelEpilogue EpilogueOf(const PanelTask& task) {
  PanelEpilogue epilogue(task, task.panel * kPanelColumns, kPanelColumns);
  epilogue.LetTilesApplyFunctions();
  return epilogue;
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
