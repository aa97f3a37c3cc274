// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_SCALED_PRODUCT_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_SCALED_PRODUCT_INL_HPP_
#undef KUIPER_KERNEL_SCALED_PRODUCT_INL_HPP_
#else
#define KUIPER_KERNEL_SCALED_PRODUCT_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/float_panels-inl.hpp"
#include "kernel/product/product_cut.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Products whose left factor has factors of its own, one for each column. They are multiplied by the rows of the
/// weight or by the columns of the left factor, whatever is less work, a block at a time. The product's sizes decide,
/// not those of its parts, so that results don't depend on the number of threads.

/// A weight of floats whose rows are multiplied by the product's factors, once for all tiles.
class ScaledPanels {
 public:
  explicit ScaledPanels(const WeightProduct& p) : p_(p), panels_(p) {}

  void Multiply(int64_t panel, int64_t k, int64_t first, int64_t last, int64_t next_panel, int64_t next_k) {
    const float* weight = panels_.At(panel, k);
    const int64_t width = PanelVectors(p_.columns, panel) * kLanes;
    const int64_t rows = std::min(kDepthBlock, p_.depth - k);
    const Floats d;
    for (int64_t row = 0; row < rows; ++row) {
      const FloatVector factor = hn::Set(d, p_.factors[k + row]);
      for (int64_t i = row * width; i < (row + 1) * width; i += kLanes) {
        hn::Store(hn::Mul(factor, hn::LoadU(d, weight + i)), d, scaled_ + i);
      }
    }
    MultiplyPanel(p_, panel, k, RowsFrom(p_, k, first, last), scaled_, panels_.At(next_panel, next_k));
  }

 private:
  const WeightProduct& p_;
  FloatPanels panels_;
  HWY_ALIGN float scaled_[kDepthBlock * kPanelColumns];
};

/// Up to so many rows of the left factor are multiplied by the factors at once, so that they stay in the first-level
/// cache while the panels pass.
constexpr int64_t kScaledRows = 64;

/// Writes the rows' columns [k, k + count) times their factors to `scaled`, rows kDepthBlock apart.
inline void ScaleRows(const float* factors, const LeftRows& left, int64_t count, float* scaled) {
  const Floats d;
  const PartialVector part(count % kLanes);
  const int64_t whole = count - count % kLanes;
  for (int64_t row = 0; row < left.last - left.first; ++row) {
    const float* from = left.a + row * left.lda;
    float* to = scaled + row * kDepthBlock;
    for (int64_t i = 0; i < whole; i += kLanes) {
      hn::Store(hn::Mul(hn::LoadU(d, factors + i), hn::LoadU(d, from + i)), d, to + i);
    }
    if (whole < count) part.Store(hn::Mul(part.Load(factors + whole), part.Load(from + whole)), to + whole);
  }
}

inline void MultiplyScaledRows(const WeightProduct& p, const ProductPart& part) {
  HWY_ALIGN float scaled[kScaledRows * kDepthBlock];
  const FloatPanels weight(p);
  const int64_t panels = DivideUp(p.columns, kPanelColumns);
  const int64_t rows = part.last_row - part.first_row;
  const int64_t blocks = DivideUp(rows, kScaledRows);
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t first = part.first_row + rows * block / blocks;
    const int64_t last = part.first_row + rows * (block + 1) / blocks;
    const int64_t behind = PanelBehind(part.first_panel, part.last_panel, panels, block + 1 < blocks);
    for (int64_t k = 0; k == 0 || k < p.depth; k += kDepthBlock) {
      const LeftRows left = RowsFrom(p, k, first, last);
      ScaleRows(p.factors + k, left, std::min(kDepthBlock, p.depth - k), scaled);
      const bool deeper = k + kDepthBlock < p.depth;
      const float* after = deeper ? weight.At(part.first_panel, k + kDepthBlock) : weight.At(behind, 0);
      for (int64_t panel = part.first_panel; panel < part.last_panel; ++panel) {
        const float* next = panel + 1 < part.last_panel ? weight.At(panel + 1, k) : after;
        MultiplyPanel(p, panel, k, {first, last, scaled, kDepthBlock}, weight.At(panel, k), next);
      }
    }
  }
}

inline void MultiplyScaled(const WeightProduct& p) {
  // Rows are scaled once, but each number of the weight for each part of the product, and it comes from farther away.
  const bool few_rows = p.rows < 2 * p.columns;
  few_rows ? ForEachPart(p, [&](const ProductPart& part) { MultiplyScaledRows(p, part); })
           : MultiplyInPanels<ScaledPanels>(p);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
