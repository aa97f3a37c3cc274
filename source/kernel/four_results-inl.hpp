// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FOUR_RESULTS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FOUR_RESULTS_INL_HPP_
#undef KUIPER_KERNEL_FOUR_RESULTS_INL_HPP_
#else
#define KUIPER_KERNEL_FOUR_RESULTS_INL_HPP_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR
/// Joins the blocks of four lanes of a vector by `join`, such as a sum.
template <class Tag, class Join>
HWY_INLINE auto JoinBlocks(const Tag d, const hwy::HWY_NAMESPACE::Vec<Tag> v, const Join& join) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (hn::MaxLanes(d) > 4) {
    const hn::Half<Tag> half;
    return JoinBlocks(half, join(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), join);
  } else {
    return v;
  }
}

/// Joins all lanes of each of four vectors of 32-bit lanes; lane i of the result belongs to vector i. That takes a
/// third of the operations of four reductions.
template <class Tag, class Join>
HWY_INLINE auto FourResults(const Tag d, const hwy::HWY_NAMESPACE::Vec<Tag> (&v)[4], const Join& join) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Vector = hn::Vec<Tag>;
  const hn::Repartition<uint64_t, Tag> pairs;
  const auto halves = [&](const Vector a, const Vector b) HWY_ATTR {
    return hn::BitCast(pairs, join(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
  };
  const auto low = halves(v[0], v[1]);
  const auto high = halves(v[2], v[3]);
  return JoinBlocks(d,
                    join(hn::BitCast(d, hn::InterleaveLower(pairs, low, high)),
                         hn::BitCast(d, hn::InterleaveUpper(pairs, low, high))),
                    join);
}
#endif

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
