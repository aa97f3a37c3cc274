// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_PARTS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_PARTS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_PARTS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_PARTS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/product_cut.hpp"
#include "kernel/product/weight_panels-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{64} << 10;
/// The number of floats of the rows that are multiplied by one panel after the other while they stay in the
/// second-level cache.
constexpr int64_t kRowBlockFloats = int64_t{192} << 10;

/// The part of a product that is a thread's piece of it.
struct ProductPart {
  int64_t first_panel;
  int64_t last_panel;
  int64_t first_row;
  int64_t last_row;
};

/// Calls multiply(part) for parts of the product, which are spread over threads by rows or by columns of tiles.
template <class Multiply>
void ForEachPart(const WeightProduct& p, const Multiply& multiply) {
  if (p.rows == 0 || p.columns == 0) return;
  const int64_t panels = DivideUp(p.columns, kPanelColumns);
  const int64_t height = kTileHeights[PanelVectors(p.columns, 0) - 1];
  const int64_t tiles = DivideUp(p.rows, height);
  if (CutsColumns(p.rows, p.columns, panels, tiles, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * p.depth * p.segments * kPanelColumns + 1),
                [&](int64_t begin, int64_t end) {
                  multiply(ProductPart{begin, end, 0, p.rows});
                });
  } else {
    ParallelFor(tiles, DivideUp(kWorthThread, height * p.depth * p.segments * p.columns + 1),
                [&](int64_t begin, int64_t end) {
                  multiply(ProductPart{0, panels, begin * height, std::min(p.rows, end * height)});
                });
  }
}

/// Computes a part of the product block by block. The weight is read through Panels(p): Multiply(panel, k, first row,
/// last row, panel and k of the coming block).
template <class Panels>
void MultiplyPart(const WeightProduct& p, const ProductPart& part) {
  const int64_t panels = DivideUp(p.columns, kPanelColumns);
  const int64_t height = kTileHeights[PanelVectors(p.columns, 0) - 1];
  const int64_t block = std::max<int64_t>(1, kRowBlockFloats / std::min(p.depth + 1, kDepthBlock) / height) * height;
  Panels weight(p);
  for (int64_t row = part.first_row; row < part.last_row; row += block) {
    const int64_t behind = PanelBehind(part.first_panel, part.last_panel, panels, row + block < part.last_row);
    for (int64_t panel = part.first_panel; panel < part.last_panel; ++panel) {
      const int64_t following = panel + 1 < part.last_panel ? panel + 1 : behind;
      for (int64_t k = 0; k == 0 || k < p.depth; k += DepthBlock(p)) {
        const bool last = k + DepthBlock(p) >= p.depth;
        weight.Multiply(panel, k, row, std::min(part.last_row, row + block), last ? following : panel,
                        last ? 0 : k + DepthBlock(p));
      }
    }
  }
}

template <class Panels>
void MultiplyInPanels(const WeightProduct& p) {
  ForEachPart(p, [&](const ProductPart& part) { MultiplyPart<Panels>(p, part); });
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
