// SPDX-License-Identifier: MIT
// AVX2: multiply-adds of 16-bit integers. Those of bytes add two neighbouring products in 16 bits and saturate, so that
// they serve where no sum can be so large.
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma")))
#include "kernel/product/int8/tile_256-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct WideTile : Avx2 {
  static constexpr int kHeight = 4;  // by two vectors, each with two words for a byte: all registers
};

struct NarrowTile : NarrowAvx2 {
  static constexpr int kHeight = 5;  // by two vectors: sums, two weights, ones and what is being multiplied
};

}  // namespace

const Int8Tiles& Avx2Int8Tiles() {
  static constexpr Int8Tiles kNarrow = MakeKernel<NarrowTile>();
  static constexpr Int8Tiles kKernel = MakeKernel<WideTile>(&kNarrow);
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
