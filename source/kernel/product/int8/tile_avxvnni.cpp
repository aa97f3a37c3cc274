// SPDX-License-Identifier: MIT
// AVX-VNNI: dot products of four bytes in vectors of 256 bits. Its operations are not among Highway's, so that
// intrinsics stand here.
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma,avxvnni")))
#include "kernel/product/int8/tile_256-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct AvxVnni : ByteProducts<AvxVnni> {
  static constexpr int kHeight = 6;  // by two vectors: sums fill all but four of the 16 registers

  /// `sum` plus the products of unsigned by signed bytes; see tile_avx512.cpp for why this is no intrinsic.
  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, __m256i a, __m256i weight) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(weight));
    return sum;
  }
};

}  // namespace

const Int8Tiles& AvxVnniInt8Tiles() {
  static constexpr Int8Tiles kKernel = MakeKernel<AvxVnni>();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
