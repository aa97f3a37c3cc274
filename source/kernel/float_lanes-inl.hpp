// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FLOAT_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FLOAT_LANES_INL_HPP_
#undef KUIPER_KERNEL_FLOAT_LANES_INL_HPP_
#else
#define KUIPER_KERNEL_FLOAT_LANES_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "kernel/elementwise/activation.hpp"
#include "kernel/float_array.hpp"
#include "kernel/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether kernels read and write bfloat16 arrays: only with AVX-512, whose CPUs may multiply bfloat16 numbers.
constexpr bool kStoresBFloat16 = HWY_TARGET <= HWY_AVX3;

using BFloat16Lanes = hn::Rebind<uint16_t, hn::ScalableTag<float>>;

HWY_INLINE hn::Vec<hn::ScalableTag<float>> WidenBFloat16(const hn::Vec<BFloat16Lanes> numbers) {
  const hn::ScalableTag<uint32_t> w;
  return hn::BitCast(hn::ScalableTag<float>(), hn::ShiftLeft<16>(hn::PromoteTo(w, numbers)));
}

/// Keeps the upper half of each float's bits, which is a bfloat16 number.
HWY_INLINE hn::Vec<BFloat16Lanes> CutToBFloat16(const hn::Vec<hn::ScalableTag<uint32_t>> bits) {
  return hn::TruncateTo(BFloat16Lanes(), hn::ShiftRight<16>(bits));
}

/// Rounds to the nearest bfloat16 number, ties to even; NaN stays NaN.
HWY_INLINE hn::Vec<BFloat16Lanes> RoundToBFloat16(const hn::Vec<hn::ScalableTag<float>> v) {
  const hn::ScalableTag<uint32_t> w;
  const auto bits = hn::BitCast(w, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(w, 1U));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(w, 0x7FFFU)));
  const auto quiet = hn::Or(bits, hn::Set(w, 0x400000U));
  return CutToBFloat16(hn::IfThenElse(hn::RebindMask(w, hn::IsNaN(v)), quiet, rounded));
}

/// Reads and writes a vector of floats, or its first lanes if kPartial, in arrays of float32 or of bfloat16 numbers
/// (uint16_t), to which they are rounded. Lanes that are not read are zero.
template <bool kPartial>
class FloatLanes {
  using Floats = hn::ScalableTag<float>;
  template <class Tag>
  using Lanes = std::conditional_t<kPartial, PartialLanes<Tag>, WholeLanes<Tag>>;

 public:
  using Vector = hn::Vec<Floats>;

  explicit FloatLanes(int64_t count) : floats_(count), halves_(count) {}

  HWY_INLINE Vector Load(const float* from) const { return floats_.Load(from); }
  HWY_INLINE Vector Load(const uint16_t* from) const { return WidenBFloat16(halves_.Load(from)); }
  HWY_INLINE void Store(const Vector v, float* to) const { floats_.Store(v, to); }
  HWY_INLINE void Store(const Vector v, uint16_t* to) const { halves_.Store(RoundToBFloat16(v), to); }

 private:
  Lanes<Floats> floats_;
  Lanes<BFloat16Lanes> halves_;
};

/// Reads a vector from number `place` of an array.
template <bool kPartial>
HWY_INLINE hn::Vec<hn::ScalableTag<float>> LoadFrom(const FloatLanes<kPartial>& lanes,
                                                    const FloatArray<const void*>& array, int64_t place) {
  if constexpr (kStoresBFloat16) {
    if (array.is_bfloat16()) return lanes.Load(static_cast<const uint16_t*>(array.data) + place);
  }
  return lanes.Load(static_cast<const float*>(array.data) + place);
}

/// Writes a vector to number `place` of an array.
template <bool kPartial>
HWY_INLINE void StoreTo(const FloatLanes<kPartial>& lanes, const hn::Vec<hn::ScalableTag<float>> v,
                        const FloatArray<void*>& array, int64_t place) {
  if constexpr (kStoresBFloat16) {
    if (array.is_bfloat16()) return lanes.Store(v, static_cast<uint16_t*>(array.data) + place);
  }
  lanes.Store(v, static_cast<float*>(array.data) + place);
}

/// `count` rows of `size` numbers, `pitch` numbers apart.
struct FloatRows {
  int64_t count;
  int64_t size;
  int64_t pitch;
};

/// Converts `count` numbers of one array to the type of the other array, by widening or rounding.
template <class From, class To>
HWY_INLINE void ConvertFloats(const From* from, int64_t count, To* to) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  int64_t i = 0;
  const FloatLanes<false> whole(lanes);
  for (; i + lanes <= count; i += lanes) whole.Store(whole.Load(from + i), to + i);
  const FloatLanes<true> part(count - i);
  if (i < count) part.Store(part.Load(from + i), to + i);
}

/// Replaces rows of results by an activation's values and writes them, rounded, to rows of bfloat16, to_pitch apart.
inline void ApplyAndRound(const Activation& activation, float* results, const FloatRows& rows, uint16_t* to,
                          int64_t to_pitch) {
  activation.ApplyRows(results, rows.count, rows.size, rows.pitch);
  for (int64_t i = 0; kStoresBFloat16 && i < rows.count; ++i) {
    ConvertFloats(results + i * rows.pitch, rows.size, to + i * to_pitch);
  }
}

/// Replaces rows of an array by an activation's values. If the array is bfloat16, the values are rounded to bfloat16.
inline void ApplyToRows(const Activation& activation, const FloatArray<void*>& array, const FloatRows& rows) {
  if (!array.is_bfloat16()) {
    return activation.ApplyRows(static_cast<float*>(array.data), rows.count, rows.size, rows.pitch);
  }
  constexpr int64_t kBlock = 1024;
  HWY_ALIGN float block[kBlock];
  for (int64_t i = 0; kStoresBFloat16 && i < rows.count; ++i) {
    auto* const row = static_cast<uint16_t*>(array.data) + i * rows.pitch;
    for (int64_t done = 0; done < rows.size; done += kBlock) {
      const int64_t numbers = std::min(kBlock, rows.size - done);
      ConvertFloats(row + done, numbers, block);
      ApplyAndRound(activation, block, {1, numbers, numbers}, row + done, numbers);
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
