// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FUSED_MULTIPLY_ADD_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FUSED_MULTIPLY_ADD_INL_HPP_
#undef KUIPER_KERNEL_FUSED_MULTIPLY_ADD_INL_HPP_
#else
#define KUIPER_KERNEL_FUSED_MULTIPLY_ADD_INL_HPP_
#endif

#include <hwy/highway.h>

#include "utils/fused_multiply_add.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// a * b + c of floats, rounded once on every CPU. CPUs without a fused operation take long.
template <class Vector>
HWY_INLINE Vector FusedMultiplyAdd(const Vector a, const Vector b, const Vector c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  const hn::DFromV<Vector> d;
  HWY_ALIGN float x[hn::MaxLanes(d)];
  HWY_ALIGN float y[hn::MaxLanes(d)];
  HWY_ALIGN float z[hn::MaxLanes(d)];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  hn::Store(c, d, z);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) z[i] = Fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
