// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_QUANTIZATION_GRID_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_QUANTIZATION_GRID_INL_HPP_
#undef KUIPER_KERNEL_QUANTIZATION_GRID_INL_HPP_
#else
#define KUIPER_KERNEL_QUANTIZATION_GRID_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/quantization/quantize.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The vector operations of a grid: rounding floats to the grid's numbers, and conversion to and from bytes, as many as
/// a vector has floats. With -ffp-contract=off all instruction sets give the same bits.
class GridVectors {
 public:
  using Floats = hn::ScalableTag<float>;
  using Words = hn::Rebind<int32_t, Floats>;
  using Bytes = hn::Rebind<uint8_t, Floats>;
  using FloatVector = hn::Vec<Floats>;
  using ByteVector = hn::Vec<Bytes>;

  explicit GridVectors(const QuantizationGrid& grid)
      : scale_(hn::Set(Floats(), grid.scale)),
        inverse_(hn::Set(Floats(), 1.0F / grid.scale)),
        zero_point_(hn::Set(Words(), grid.zero_point)),
        least_(hn::Set(Floats(), Above(grid.least, grid.zero_point))),
        most_(hn::Set(Floats(), Above(grid.most, grid.zero_point))) {}

  /// The number of the grid that is nearest to x.
  HWY_INLINE FloatVector Rounded(const FloatVector x) const {
    const FloatVector steps = Limited(hn::Round(hn::Mul(x, inverse_)));
    return hn::Mul(hn::Add(steps, hn::Zero(Floats())), scale_);  // -0 becomes 0
  }

  /// The q of the number of the grid that is nearest to x.
  HWY_INLINE ByteVector ToBytes(const FloatVector x) const { return StepsToBytes(hn::Mul(x, inverse_)); }

  /// The q nearest to a number that is given in units of the scale. The number is limited, and then rounded by adding a
  /// number so large that no fraction is left; the lowest byte of that large number is zero.
  HWY_INLINE ByteVector StepsToBytes(const FloatVector steps) const {
    constexpr float kNoFraction = 12582912;  // 3 * 2^22
    const FloatVector sum = hn::Add(Limited(steps), hn::Set(Floats(), kNoFraction));
    const auto q = hn::Add(hn::BitCast(Words(), sum), zero_point_);
    return hn::TruncateTo(Bytes(), hn::BitCast(hn::RebindToUnsigned<Words>(), q));
  }

  HWY_INLINE FloatVector FromBytes(const ByteVector q) const {
    const auto steps = hn::Sub(hn::PromoteTo(Words(), q), zero_point_);
    return hn::Mul(hn::ConvertTo(Floats(), steps), scale_);
  }

 private:
  static float Above(int32_t q, int32_t zero_point) {
    return static_cast<float>(static_cast<double>(q) - static_cast<double>(zero_point));
  }

  /// Limits a number, in units of the scale, to the grid's bounds; NaN becomes the least one.
  HWY_INLINE FloatVector Limited(const FloatVector steps) const {
#if HWY_TARGET <= HWY_SSSE3 && HWY_ARCH_X86  // Max gives its second operand if one is NaN
    return hn::Min(hn::Max(steps, least_), most_);
#else
    return hn::Min(hn::IfThenElse(hn::Gt(steps, least_), steps, least_), most_);
#endif
  }

  FloatVector scale_;
  FloatVector inverse_;
  hn::Vec<Words> zero_point_;
  FloatVector least_;
  FloatVector most_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
