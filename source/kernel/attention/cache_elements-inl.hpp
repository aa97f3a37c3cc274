// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_CACHE_ELEMENTS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_CACHE_ELEMENTS_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_CACHE_ELEMENTS_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_CACHE_ELEMENTS_INL_HPP_
#endif

#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/float32/sums-inl.hpp"
#include "utils/half.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Reads elements of keys and values as vectors of float: float, BFloat16 or int8_t.
template <class T>
class CacheElements {
  using Lane = std::conditional_t<std::is_same_v<T, BFloat16>, uint16_t, T>;
  using Tag = hn::Rebind<Lane, Floats>;

 public:
  /// `partial` is how many elements Partial() reads.
  explicit CacheElements(int64_t partial) : part_(partial) {}

  static HWY_INLINE FloatVector Whole(const T* from) { return Float(hn::LoadU(Tag(), Lanes(from))); }
  HWY_INLINE FloatVector Partial(const T* from) const { return Float(part_.Load(Lanes(from))); }

 private:
  static HWY_INLINE const Lane* Lanes(const T* from) { return reinterpret_cast<const Lane*>(from); }
  static HWY_INLINE FloatVector Float(const hn::Vec<Tag> lanes) {
    if constexpr (std::is_same_v<T, float>) {
      return lanes;
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      const hn::Rebind<uint32_t, Floats> words;
      return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(words, lanes)));
    } else {
      return hn::ConvertTo(Floats(), hn::PromoteTo(hn::Rebind<int32_t, Floats>(), lanes));
    }
  }

  PartialLanes<Tag> part_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
