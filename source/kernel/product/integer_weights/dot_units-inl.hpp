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

// How the tiles add products of four integers of a word and of a rounded row: a unit has
//   kHeight                the most rows of a tile
//   kParts                 parts of the four that are multiplied one after the other, and bytes of an integer of a
//                          rounded row: see RoundedRowLayout
//   PartOf<i>(quads)       part i of the four integers without signs of each word, given as bytes
//   AddDot(sums, u, s)     the sums of 32 bits plus the products of a part and four bytes of a row
//   kWordsTogether         0; or AddDot adds to pairs of 16 bits, which fit the products of that number of words
//   SumsOf(pairs)          the sums of 32 bits of such pairs

/// What units have that multiply bytes as they are and add to sums of 32 bits; others replace a part of it.
struct ByteDots {
  static constexpr int kParts = 1;
  static constexpr int64_t kWordsTogether = 0;
  template <int /*i*/>
  static HWY_INLINE WordVector PartOf(WordVector quads) {
    return quads;
  }
  static HWY_INLINE IntegerVector SumsOf(IntegerVector sums) { return sums; }
};

/// Plain C++, with the bits of the others.
struct PortableDots : ByteDots {
  static constexpr int kHeight = 2;
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
struct VnniDots : ByteDots {
  static constexpr int kHeight = HWY_TARGET <= HWY_AVX3 ? 6 : 5;  // sums and a row of words fill the registers
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
/// AVX2 and integers of 4 bits: products of unsigned by signed bytes are added up in pairs of 16 bits, which eight of
/// them fit: 8 * 2 * 15 * 127.
struct Avx2NibbleDots : ByteDots {
  static constexpr int kHeight = 4;
  static constexpr int64_t kWordsTogether = 4;
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    return {_mm256_add_epi16(sums.raw, _mm256_maddubs_epi16(u.raw, s.raw))};
  }
  static HWY_INLINE IntegerVector SumsOf(IntegerVector pairs) {
    return {_mm256_madd_epi16(pairs.raw, _mm256_set1_epi16(1))};
  }
};

/// AVX2 and integers of 8 bits, whose products don't fit pairs of 16 bits: both factors become integers of 16 bits, the
/// weight's when a tile reads them, for all of its rows.
struct Avx2ByteDots : ByteDots {
  static constexpr int kHeight = 4;
  static constexpr int kParts = 2;
  template <int i>
  static HWY_INLINE WordVector PartOf(WordVector quads) {
    if constexpr (i == 0) return {_mm256_and_si256(quads.raw, _mm256_set1_epi16(255))};
    return {_mm256_srli_epi16(quads.raw, 8)};
  }
  static HWY_INLINE IntegerVector AddDot(IntegerVector sums, WordVector u, WordVector s) {
    sums.raw = _mm256_add_epi32(sums.raw, _mm256_madd_epi16(u.raw, s.raw));
    __asm__("" : "+x"(sums.raw));  // otherwise GCC 12 adds products to each other first, and has too few registers
    return sums;
  }
};
#endif

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
