// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WINOGRAD_INT8_TRANSFORM_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WINOGRAD_INT8_TRANSFORM_INL_HPP_
#undef KUIPER_KERNEL_WINOGRAD_INT8_TRANSFORM_INL_HPP_
#else
#define KUIPER_KERNEL_WINOGRAD_INT8_TRANSFORM_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The lines of Winograd's transforms of integers (int8_weight.hpp): `Image` multiplies m + 2 vectors by the image's
/// matrix, `Sums` makes m vectors of m + 2, and `Divide` takes the factor out that results are too large by.
template <int m>
struct IntegerTransform;

template <>
struct IntegerTransform<2> {
  template <class V>
  static HWY_INLINE void Image(V (&d)[4]) {
    const V first = hn::Sub(d[0], d[2]);
    const V last = hn::Sub(d[1], d[3]);
    const V sum = hn::Add(d[1], d[2]);
    d[2] = hn::Sub(d[2], d[1]);
    d[0] = first;
    d[1] = sum;
    d[3] = last;
  }

  template <class V>
  static HWY_INLINE void Sums(const V (&p)[4], V (&y)[2]) {
    y[0] = hn::Add(p[0], hn::Add(p[1], p[2]));
    y[1] = hn::Sub(hn::Sub(p[1], p[2]), p[3]);
  }

  template <class V>
  static HWY_INLINE V Divide(V sum) {
    return hn::ShiftRight<2>(sum);
  }
};

template <>
struct IntegerTransform<4> {
  template <class V>
  static HWY_INLINE V Twice(V v) {
    return hn::Add(v, v);
  }

  template <class V>
  static HWY_INLINE void Image(V (&d)[6]) {
    const V even = hn::Sub(d[4], d[2]);
    const V odd = hn::Sub(d[3], d[1]);
    const V even2 = Twice(even);
    const V odd2 = Twice(odd);
    const V even3 = hn::Add(even2, even);
    const V odd3 = hn::Add(odd2, odd);
    const V sum = hn::Add(d[2], d[3]);
    const V difference = hn::Sub(d[2], d[3]);
    const V sum3 = hn::Add(Twice(sum), sum);
    const V difference3 = hn::Add(Twice(difference), difference);
    const V first = Twice(hn::Sub(d[0], d[2]));
    const V last = Twice(hn::Sub(d[5], d[3]));
    d[0] = hn::Add(first, hn::Sub(even2, odd3));
    d[1] = hn::Sub(even, odd2);
    d[2] = hn::Sub(hn::Add(even2, odd2), sum3);
    d[3] = hn::Add(hn::Sub(even2, odd2), difference3);
    d[4] = hn::Add(even2, odd);
    d[5] = hn::Sub(last, hn::Add(odd2, even3));
  }

  template <class V>
  static HWY_INLINE void Sums(const V (&p)[6], V (&y)[4]) {
    const V sum = hn::Add(p[2], p[3]);
    const V difference = hn::Sub(p[2], p[3]);
    const V half2 = Twice(p[1]);  // of the points -1/2 and 2
    const V two2 = Twice(p[4]);
    y[0] = hn::Add(hn::Add(p[0], hn::ShiftLeft<3>(p[1])), hn::Add(sum, p[4]));
    y[1] = hn::Add(Twice(hn::Sub(p[4], half2)), difference);
    y[2] = hn::Add(Twice(hn::Add(p[1], two2)), sum);
    y[3] = hn::Add(hn::Sub(difference, p[1]), hn::Add(hn::ShiftLeft<3>(p[4]), p[5]));
  }

  template <class V>
  static HWY_INLINE V Divide(V sum) {
    constexpr uint32_t kInverse = 0x87654321;  // of 225, modulo 2^32
    static_assert(225 * kInverse == 1);
    return hn::ShiftRight<2>(hn::Mul(sum, hn::Set(hn::DFromV<V>(), static_cast<int32_t>(kInverse))));
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
