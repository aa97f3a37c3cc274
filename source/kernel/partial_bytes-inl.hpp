// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PARTIAL_BYTES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PARTIAL_BYTES_INL_HPP_
#undef KUIPER_KERNEL_PARTIAL_BYTES_INL_HPP_
#else
#define KUIPER_KERNEL_PARTIAL_BYTES_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Reads and writes the first `count` bytes of a vector, at any address, and touches nothing behind them. The rest
/// reads as zero. AVX-512 does it by masks.
template <class Tag>
class PartialBytes {
 public:
  using Vector = hn::Vec<Tag>;

#if HWY_TARGET <= HWY_AVX3
  explicit PartialBytes(int64_t count) : mask_(hn::FirstN(Tag(), static_cast<std::size_t>(count))) {}
  HWY_INLINE Vector Load(const uint8_t* from) const { return hn::MaskedLoad(mask_, Tag(), from); }
  HWY_INLINE void Store(const Vector v, uint8_t* to) const { hn::BlendedStore(v, mask_, Tag(), to); }

 private:
  hn::Mask<Tag> mask_;
#else
  explicit PartialBytes(int64_t count) : count_(std::min<int64_t>(count, hn::MaxLanes(Tag()))) {}
  HWY_INLINE Vector Load(const uint8_t* from) const {
    HWY_ALIGN uint8_t lanes[hn::MaxLanes(Tag())] = {};
    std::copy_n(from, count_, lanes);
    return hn::Load(Tag(), lanes);
  }
  HWY_INLINE void Store(const Vector v, uint8_t* to) const {
    HWY_ALIGN uint8_t lanes[hn::MaxLanes(Tag())];
    hn::Store(v, Tag(), lanes);
    std::copy_n(lanes, count_, to);
  }

 private:
  int64_t count_;
#endif
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
