// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_POOLING_POOLED_MAXIMA_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_POOLING_POOLED_MAXIMA_INL_HPP_
#undef KUIPER_KERNEL_POOLING_POOLED_MAXIMA_INL_HPP_
#else
#define KUIPER_KERNEL_POOLING_POOLED_MAXIMA_INL_HPP_
#endif

#include <cstdint>
#include <limits>

#include <hwy/highway.h>

#include "kernel/pooling/pixel_box-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// NaN wins.
struct LargestFloat : ElementsToElements<float> {
  static HWY_INLINE Vector Start() { return hn::Set(Totals(), -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
};

struct LargestByte : ElementsToElements<uint8_t> {
  static HWY_INLINE Vector Start() { return hn::Zero(Totals()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Max(a, b); }
};

template <class Rule>
struct Maxima {
  using Input = typename Rule::Element;
  using Total = Input;
  using Output = Input;
  static constexpr TotalsAsTheyAre<typename Rule::Totals> kStore{};

  void PoolBand(const PixelBox<Input>& band, int64_t channels, Total* to) const {
    CombinePixels<Rule>(band, 0, channels, kStore, to);
  }
  void CombineBands(const PixelBox<Total>& bands, int64_t /*pixels*/, double /*divisor*/, int64_t channels,
                    Output* to) const {
    CombinePixels<Rule>(bands, 0, channels, kStore, to);
  }
  void PoolBox(const PixelBox<Input>& box, double /*divisor*/, int64_t channel, int64_t last, Output* to) const {
    CombinePixels<Rule>(box, channel, last, kStore, to);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
