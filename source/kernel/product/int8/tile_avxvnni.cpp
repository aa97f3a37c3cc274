// SPDX-License-Identifier: MIT
// AVX-VNNI: dot products of four bytes in vectors of 256 bits. Its operations are not among Highway's, so that
// intrinsics stand here.
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma,avxvnni")))
#include "kernel/product/int8/tile_256-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Tile : AvxVnni {
  static constexpr int kHeight = 6;  // by two vectors: sums fill all but four of the 16 registers
};

}  // namespace

const Int8Tiles& AvxVnniInt8Tiles() {
  static constexpr Int8Tiles kKernel = MakeKernel<Tile>();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
