// SPDX-License-Identifier: MIT
#include "kernel/product/packed_factor.hpp"

#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/weight_product.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

int64_t PackedFactorBytes(const WeightType& type, int64_t columns, int64_t depth) {
  return AlignedBytes(type.bfloat16_pieces() > 0 ? PackedBFloat16Bytes(columns, depth, type.pieces)
                                                 : FloatBytes(PackedWeightSize(columns, depth)));
}

void PackFactor(const WeightType& type, int64_t columns, int64_t depth, const float* rows, int64_t ld, void* packed) {
  if (type.bfloat16_pieces() > 0) {
    PackBFloat16Rows(columns, depth, 0, depth, rows, ld, static_cast<uint16_t*>(packed), type.pieces);
  } else {
    PackWeightRows(columns, depth, 0, depth, rows, ld, static_cast<float*>(packed));
  }
}

void PackTransposedFactor(const WeightType& type, int64_t columns, int64_t depth, const float* transposed, int64_t ld,
                          float scale, void* packed) {
  if (type.bfloat16_pieces() > 0) {
    PackBFloat16Window(columns, depth, 1, transposed, ld, static_cast<uint16_t*>(packed), type.pieces, scale);
    return;
  }
  auto* const floats = static_cast<float*>(packed);
  PackWeight(columns, depth, transposed, ld, floats);
  const int64_t count = scale == 1 ? 0 : PackedWeightSize(columns, depth);
  for (int64_t i = 0; i < count; ++i) floats[i] *= scale;
}

}  // namespace kuiper_infer::kernel
