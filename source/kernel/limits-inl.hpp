// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_LIMITS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_LIMITS_INL_HPP_
#undef KUIPER_KERNEL_LIMITS_INL_HPP_
#else
#define KUIPER_KERNEL_LIMITS_INL_HPP_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// AtLeast gives the larger of a limit and x, AtMost the smaller. If x is NaN, the result is NaN. (x86's instructions
/// give their second operand if one is NaN. Other CPUs, and vectors that Highway emulates, give the limit.)
template <class Vector>
HWY_INLINE Vector AtLeast(const Vector limit, const Vector x) {
#if HWY_TARGET <= HWY_SSSE3 && HWY_ARCH_X86
  return hn::Max(limit, x);
#else
  return hn::IfThenElse(hn::Lt(x, limit), limit, x);
#endif
}
template <class Vector>
HWY_INLINE Vector AtMost(const Vector limit, const Vector x) {
#if HWY_TARGET <= HWY_SSSE3 && HWY_ARCH_X86
  return hn::Min(limit, x);
#else
  return hn::IfThenElse(hn::Gt(x, limit), limit, x);
#endif
}

template <class Vector>
HWY_INLINE Vector Limited(const Vector x, const Vector least, const Vector most) {
  return AtMost(most, AtLeast(least, x));
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
