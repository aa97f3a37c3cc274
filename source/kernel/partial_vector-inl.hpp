// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PARTIAL_VECTOR_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PARTIAL_VECTOR_INL_HPP_
#undef KUIPER_KERNEL_PARTIAL_VECTOR_INL_HPP_
#else
#define KUIPER_KERNEL_PARTIAL_VECTOR_INL_HPP_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Reads and writes the first `count` lanes of a vector at any address, and touches no memory after them. The other
/// lanes read as zero. AVX-512 uses masks for that, and so does AVX2, except for lanes of 8 or 16 bits.
template <class Tag>
class PartialLanes {
  using Lane = hn::TFromD<Tag>;
  static constexpr bool kByMask = HWY_TARGET <= HWY_AVX3 || (HWY_TARGET <= HWY_AVX2 && sizeof(Lane) >= 4);
  // Clang 14 for WebAssembly keeps several arrays of 4 or 8 bytes in one place, and reads them when the last one is
  // written.
  static constexpr std::size_t kBytes = sizeof(Lane) * hn::MaxLanes(Tag());
  static constexpr bool kByWord = HWY_ARCH_WASM && (kBytes == 4 || kBytes == 8);

 public:
  using Vector = hn::Vec<Tag>;

  explicit PartialLanes(int64_t count) {
    if constexpr (kByMask) {
      part_ = hn::FirstN(Tag(), static_cast<std::size_t>(count));
    } else {
      part_ = std::min<int64_t>(count, hn::MaxLanes(Tag()));
    }
  }

  HWY_INLINE Vector Load(const Lane* from) const {
    if constexpr (kByMask) {
      return hn::MaskedLoad(part_, Tag(), from);
    } else if constexpr (kByWord) {
      using Word = std::conditional_t<kBytes == 4, uint32_t, uint64_t>;
      Word word = 0;
      for (int64_t i = 0; i < part_; ++i) {
        word |= static_cast<Word>(static_cast<std::make_unsigned_t<Lane>>(from[i])) << (8 * sizeof(Lane) * i);
      }
      return hn::BitCast(Tag(), hn::Set(hn::Repartition<Word, Tag>(), word));
    } else {
      HWY_ALIGN Lane lanes[hn::MaxLanes(Tag())] = {};
      std::copy_n(from, part_, lanes);
      return hn::Load(Tag(), lanes);
    }
  }

  HWY_INLINE void Store(const Vector v, Lane* to) const {
    if constexpr (kByMask) {
      hn::BlendedStore(v, part_, Tag(), to);
    } else {
      HWY_ALIGN Lane lanes[hn::MaxLanes(Tag())];
      hn::Store(v, Tag(), lanes);
      std::copy_n(lanes, part_, to);
    }
  }

 private:
  std::conditional_t<kByMask, hn::Mask<Tag>, int64_t> part_;
};

/// Whole vectors, with the functions of PartialLanes.
template <class Tag>
struct WholeLanes {
  using Vector = hn::Vec<Tag>;
  WholeLanes() = default;
  explicit WholeLanes(int64_t /*count*/) {}
  HWY_INLINE Vector Load(const hn::TFromD<Tag>* from) const { return hn::LoadU(Tag(), from); }
  HWY_INLINE void Store(const Vector v, hn::TFromD<Tag>* to) const { hn::StoreU(v, Tag(), to); }
};

using PartialVector = PartialLanes<hn::ScalableTag<float>>;

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
