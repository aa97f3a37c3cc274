// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#undef KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/product/weight_panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// A weight of floats, read where it lies.
class FloatPanels {
 public:
  explicit FloatPanels(const WeightProduct& p) : p_(p) {}

  void Multiply(int64_t panel, int64_t k, int64_t first, int64_t last, int64_t next_panel, int64_t next_k) const {
    MultiplyPanel(p_, panel, k, first, last, At(panel, k), At(next_panel, next_k));
  }

  /// The address of row k of the weight in a panel.
  const float* At(int64_t panel, int64_t k) const {
    return static_cast<const float*>(p_.weight) + panel * kPanelColumns * p_.depth * p_.segments +
           k * PanelVectors(p_.columns, panel) * kLanes;
  }

 private:
  const WeightProduct& p_;
};

/// A weight of floats whose rows are multiplied by the product's factors, a block at a time: once for all tiles.
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
    MultiplyPanel(p_, panel, k, first, last, scaled_, panels_.At(next_panel, next_k));
  }

 private:
  const WeightProduct& p_;
  FloatPanels panels_;
  HWY_ALIGN float scaled_[kDepthBlock * kPanelColumns];
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
