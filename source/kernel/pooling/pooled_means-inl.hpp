// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_POOLING_POOLED_MEANS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_POOLING_POOLED_MEANS_INL_HPP_
#undef KUIPER_KERNEL_POOLING_POOLED_MEANS_INL_HPP_
#else
#define KUIPER_KERNEL_POOLING_POOLED_MEANS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/float_lanes-inl.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "kernel/pooling/channels_last_pooling.hpp"
#include "kernel/pooling/pixel_box-inl.hpp"
#include "kernel/quantization/grid-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The rule for sums of floats or of 32-bit integers.
template <class T>
struct Sum : ElementsToElements<T> {
  using Totals = hn::ScalableTag<T>;
  using Vector = hn::Vec<Totals>;
  static HWY_INLINE Vector Start() { return hn::Zero(Totals()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Add(a, b); }
};

/// The rule for sums of bytes in 32 bits.
template <>
struct Sum<uint8_t> {
  using Element = uint8_t;
  using Totals = hn::ScalableTag<int32_t>;
  using Elements = hn::Rebind<uint8_t, Totals>;
  using Vector = hn::Vec<Totals>;
  static HWY_INLINE Vector Start() { return hn::Zero(Totals()); }
  static HWY_INLINE Vector Total(const hn::Vec<Elements> x) { return hn::PromoteTo(Totals(), x); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Add(a, b); }
};

/// The rule for sums of bfloat16 numbers in float32.
template <>
struct Sum<uint16_t> : Sum<float> {
  using Element = uint16_t;
  using Elements = BFloat16Lanes;
  static HWY_INLINE Vector Total(const hn::Vec<Elements> x) { return WidenBFloat16(x); }
};

/// Writes the means of one box: as floats, rounded to a grid or not, as bfloat16, or as bytes of a grid.
template <class Out>
struct MeanStore {
  using Output = Out;
  using Floats = hn::ScalableTag<float>;
  using Words = hn::ScalableTag<int32_t>;
  using Outputs = hn::Rebind<Out, Floats>;

  HWY_INLINE hn::Vec<Floats> Mean(const hn::Vec<Floats> sum) const { return hn::Mul(sum, hn::Set(Floats(), factor)); }
  HWY_INLINE hn::Vec<Floats> Mean(const hn::Vec<Words> sum) const {
    return Mean(hn::ConvertTo(Floats(), hn::Sub(sum, hn::Set(Words(), zeros))));
  }
  template <class Vector>
  HWY_INLINE hn::Vec<Outputs> Result(const Vector sum) const {
    if constexpr (sizeof(Out) == 1) {
      return grid->ToBytes(Mean(sum));
    } else if constexpr (sizeof(Out) == 2) {
      return RoundToBFloat16(Mean(sum));
    } else {
      return grid == nullptr ? Mean(sum) : grid->Rounded(Mean(sum));
    }
  }
  template <class Vector>
  HWY_INLINE void Whole(const Vector sum, Out* to) const {
    hn::StoreU(Result(sum), Outputs(), to);
  }
  template <class Vector>
  HWY_INLINE void Part(const Vector sum, int64_t count, Out* to) const {
    PartialLanes<Outputs>(count).Store(Result(sum), to);
  }

  float factor;
  int32_t zeros;  ///< what the sum of the bytes would be if all pixels were zero
  const GridVectors* grid;
};

template <class In, class Out>
class Means {
 public:
  using Input = In;
  using Total = hn::TFromD<typename Sum<In>::Totals>;
  using Output = Out;

  explicit Means(const PoolingStorage& storage)
      : input_(storage.input),
        rounds_(storage.result.has_value()),
        result_(storage.result.value_or(QuantizationGrid())) {}

  void PoolBand(const PixelBox<In>& band, int64_t channels, Total* to) const {
    CombinePixels<Sum<In>>(band, 0, channels, TotalsAsTheyAre<typename Sum<In>::Totals>(), to);
  }
  void CombineBands(const PixelBox<Total>& bands, int64_t pixels, double divisor, int64_t channels, Out* to) const {
    CombinePixels<Sum<Total>>(bands, 0, channels, StoreOf(pixels, divisor), to);
  }
  void PoolBox(const PixelBox<In>& box, double divisor, int64_t channel, int64_t last, Out* to) const {
    CombinePixels<Sum<In>>(box, channel, last, StoreOf(box.pixels(), divisor), to);
  }

 private:
  MeanStore<Out> StoreOf(int64_t pixels, double divisor) const {
    const double scale = sizeof(In) == 1 ? static_cast<double>(input_.scale) : 1.0;
    return {static_cast<float>(scale / divisor), static_cast<int32_t>(pixels * input_.zero_point),
            rounds_ ? &result_ : nullptr};
  }

  QuantizationGrid input_;
  bool rounds_;
  GridVectors result_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
