// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#undef KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_FLOAT_PANELS_INL_HPP_
#endif

#include <cstdint>

#include "kernel/product/product_parts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// A weight of floats, read where it lies.
class FloatPanels {
 public:
  explicit FloatPanels(const WeightProduct& p) : p_(p) {}

  void Multiply(int64_t panel, int64_t k, int64_t first, int64_t last, int64_t next_panel, int64_t next_k) const {
    MultiplyPanel(p_, panel, k, RowsFrom(p_, k, first, last), At(panel, k), At(next_panel, next_k));
  }

  /// The address of row k of the weight in a panel.
  const float* At(int64_t panel, int64_t k) const {
    return static_cast<const float*>(p_.weight) + panel * kPanelColumns * p_.depth * p_.segments +
           k * PanelVectors(p_.columns, panel) * kLanes;
  }

 private:
  const WeightProduct& p_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
