// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_FLOAT32_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_FLOAT32_PANELS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_FLOAT32_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_FLOAT32_PANELS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/float32/panel_blocks-inl.hpp"
#include "kernel/product/transpose-inl.hpp"
#include "kernel/product/weight_panels.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Panels of floats: row after row of a panel's columns, which zeros fill up to whole vectors.
class FloatPanels final : public WeightPanels {
 public:
  const char* Name() const override { return "panels"; }
  int64_t Columns() const override { return kPanelColumns; }
  int64_t Bytes(int64_t columns, int64_t depth, int64_t segments) const override {
    return FloatBytes(RoundUp(columns, kLanes) * depth * segments);
  }

  void Pack(const TransposedWeight& weight, void* packed) const override {
    const int64_t panels = DivideUp(weight.columns, kPanelColumns);
    ParallelFor(panels, DivideUp(kWorthThread, kPanelColumns * weight.depth() + 1), [&](int64_t begin, int64_t end) {
      for (int64_t panel = begin; panel < end; ++panel) PackPanel(weight, panel, static_cast<float*>(packed));
    });
  }

  int64_t RowsTogether() const override { return 1; }
  void PackRows(const WeightRowsPart& rows, void* packed) const override {
    for (int64_t first = 0; first < rows.columns; first += kPanelColumns) {
      const int64_t width = PanelVectors(rows.columns, first / kPanelColumns) * kLanes;
      const int64_t inside = std::min(width, rows.columns - first);
      float* target = static_cast<float*>(packed) + first * rows.depth + rows.first * width;
      for (int64_t k = 0; k < rows.count; ++k, target += width) {
        std::copy_n(rows.numbers + k * rows.ld + first, inside, target);
        std::fill_n(target + inside, width - inside, 0.0F);
      }
    }
  }

  bool Reversible() const override { return true; }
  void Unpack(const TransposedWeight& weight, const void* packed, float* transposed) const override {
    const auto* from = static_cast<const float*>(packed);
    for (int64_t first = 0; first < weight.columns; first += kPanelColumns) {
      const int64_t width = PanelVectors(weight.columns, first / kPanelColumns) * kLanes;
      const int64_t inside = std::min(width, weight.columns - first);
      for (int64_t t = 0; t < weight.taps; ++t) {
        for (int64_t i = 0; i < weight.inputs; ++i, from += width) {
          float* const to = transposed + i * weight.taps + t;
          for (int64_t j = 0; j < inside; ++j) to[(first + j) * weight.depth()] = from[j];
        }
      }
    }
  }

 private:
  static void PackPanel(const TransposedWeight& weight, int64_t panel, float* packed) {
    const int64_t piece =
        std::max<int64_t>(1, kLanes / weight.taps);  // short: its cache lines stay until they are full
    const int64_t first = panel * kPanelColumns;
    const int64_t width = PanelVectors(weight.columns, panel) * kLanes;
    const int64_t inside = std::min(width, weight.columns - first);
    const int64_t inputs = weight.inputs;
    const int64_t taps = weight.taps;
    float* const target = packed + first * weight.depth();
    const float* const columns = weight.numbers + first * weight.ld;
    if (taps == 1) CopyTransposed(inside, inputs, columns, weight.ld, target, width);
    for (int64_t input = 0; taps > 1 && input < inputs; input += piece) {
      const int64_t last = std::min(inputs, input + piece);
      for (int64_t j = 0; j < inside; ++j) {
        const float* source = columns + j * weight.ld;
        for (int64_t i = input; i < last; ++i) {
          for (int64_t t = 0; t < taps; ++t) target[(t * inputs + i) * width + j] = source[i * taps + t];
        }
      }
    }
    for (int64_t k = 0; inside < width && k < weight.depth(); ++k) {
      std::fill(target + k * width + inside, target + (k + 1) * width, 0.0F);
    }
    for (int64_t i = 0; weight.scale != 1 && i < weight.depth() * width; ++i) target[i] *= weight.scale;
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
