// SPDX-License-Identifier: MIT
// 64-bit ARM's dot products of four signed bytes (FEAT_DotProd). Those of unsigned by signed bytes are another, later
// extension (FEAT_I8MM), so that a row's bytes are made signed here, which Int8Tiles::offset tells.
// Whoever includes this has defined KUIPER_INT8_TARGET, the instruction set that the functions are compiled for.
#pragma once

#include <arm_neon.h>
#include <cstdint>

namespace kuiper_infer::kernel {
namespace {

struct DotProd {
  static constexpr int32_t kOffset = 128;
  static constexpr int64_t kLanes = 4;
  using Vector = int32x4_t;
  using Quads = int8x16_t;
  using Weight = int8x16_t;

  KUIPER_INT8_TARGET static inline int8x16_t MinusOffset(uint8x16_t bytes) {
    return vreinterpretq_s8_u8(veorq_u8(bytes, vdupq_n_u8(kOffset)));
  }

  static inline Vector LoadSums(const int32_t* from) { return vld1q_s32(from); }
  static inline void StoreSums(Vector sums, int32_t* to) { vst1q_s32(to, sums); }
  static inline Weight LoadWeight(const int8_t* from) { return vld1q_s8(from); }
  KUIPER_INT8_TARGET static inline Quads LoadQuads(const uint8_t* from) { return MinusOffset(vld1q_u8(from)); }
  KUIPER_INT8_TARGET static inline Vector AddDot(Vector sum, Quads quads, Weight weight) {
    return vdotq_s32(sum, quads, weight);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel
