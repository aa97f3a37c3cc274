// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_UNITS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_UNITS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_UNITS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_DOT_UNITS_INL_HPP_
#endif

#include <cstdint>
#include <cstring>

#include "kernel/product/integer_weights/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

using Integers = hn::Rebind<int32_t, Floats>;
using IntegerVector = hn::Vec<Integers>;

// How the tiles add products: a unit has, for rows of words of a format,
//   kHeight                  the most rows of a tile
//   kSigned<Row>             whether AddDot adds the least integer to those of u first
//   AddDot<Row>(sums, u, s)  the sums of 32 bits plus the products of four bytes of u and of s each: integers without
//                            signs, and signed ones
//   kWordsTogether<Row>      0; or AddDot adds to pairs of 16 bits, which fit the products of that number of words
//   SumsOf(pairs)            the sums of 32 bits of such pairs

/// A unit that adds products of integers without signs to sums of 32 bits.
struct WholeDots {
  template <class Row>
  static constexpr bool kSigned = false;
  template <class Row>
  static constexpr int64_t kWordsTogether = 0;
  static HWY_INLINE IntegerVector SumsOf(IntegerVector sums) { return sums; }
};

/// Plain C++, with the bits of the others.
struct PortableDots : WholeDots {
  static constexpr int kHeight = 2;
  template <class Row>
  static IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    uint8_t left[kWordBytes];
    int8_t right[kWordBytes];
    int32_t results[kLanes];
    std::memcpy(left, &u, sizeof(left));
    std::memcpy(right, &s, sizeof(right));
    hn::StoreU(sums, Integers(), results);
    for (int64_t i = 0; i < kWordBytes; ++i) results[i / 4] += left[i] * right[i];
    return hn::LoadU(Integers(), results);
  }
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
/// AVX512_VNNI or AVX-VNNI: operations that are not among Highway's for these instruction sets.
struct VnniDots : WholeDots {
  static constexpr int kHeight = HWY_TARGET <= HWY_AVX3 ? 6 : 5;  // sums and a row of words fill the registers
  template <class Row>
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
#if HWY_TARGET <= HWY_AVX3
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(u.raw), "v"(s.raw));
#else
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.raw) : "x"(u.raw), "x"(s.raw));
#endif
    return sums;
  }
};
#endif

#if HWY_TARGET == HWY_AVX2
/// AVX2, whose products of unsigned by signed bytes are added up in pairs of 16 bits. Of integers of 4 bits eight
/// products fit: 8 * 2 * 15 * 127. Of 8 bits one fits if it is that of a magnitude and a number that has taken over the
/// sign: 2 * 128 * 127.
struct Avx2Dots {
  static constexpr int kHeight = 4;
  template <class Row>
  static constexpr bool kSigned = Row::kBits == 8;
  template <class Row>
  static constexpr int64_t kWordsTogether = Row::kBits == 4 ? 4 : 0;
  template <class Row>
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    if constexpr (!kSigned<Row>) return {_mm256_add_epi16(sums.raw, _mm256_maddubs_epi16(u.raw, s.raw))};
    const __m256i weights = _mm256_xor_si256(u.raw, _mm256_set1_epi8(static_cast<char>(Row::kLeast)));
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(s.raw, weights));
    return {_mm256_add_epi32(sums.raw, SumsOf({pairs}).raw)};
  }
  static HWY_INLINE IntegerVector SumsOf(IntegerVector pairs) {
    return {_mm256_madd_epi16(pairs.raw, _mm256_set1_epi16(1))};
  }
};
#endif

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
