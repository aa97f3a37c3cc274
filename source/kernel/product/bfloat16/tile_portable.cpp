// SPDX-License-Identifier: MIT
// Computes the same as AVX512_BF16 in portable code, for CPUs without a unit and as a reference.
#include <array>
#include <cmath>
#include <cstring>

#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/write_sums.hpp"
#include "utils/fused_multiply_add.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {
namespace {

float ToFloat(uint16_t bits) {
  BFloat16 number;
  number.bits = bits;
  return number;
}

/// BFloat16's rounding, but for NaN, of which the units keep sign and payload, and for denormal numbers.
uint16_t Rounded(float value) {
  constexpr uint32_t kSign = 0x80000000U;
  constexpr uint32_t kQuiet = 0x00400000U;
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  if (std::isnan(value)) return static_cast<uint16_t>((word | kQuiet) >> 16);
  if (!std::isnormal(value) && !std::isinf(value)) return static_cast<uint16_t>((word & kSign) >> 16);
  return BFloat16(value).bits;
}

void Round(const float* from, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = Rounded(from[i]);
}

void Widen(const uint16_t* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = ToFloat(from[i]);
}

void Scale(const float* from, const float* factors, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = Rounded(from[i] * factors[i]);
}

void ScaleBFloat16(const uint16_t* from, const float* factors, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = Rounded(ToFloat(from[i]) * factors[i]);
}

/// The sum of row r in column j of a tile.
float Sum(const BFloat16Tile& t, int64_t r, int64_t j) {
  const int64_t width = t.vectors * kBFloat16Lanes;
  const int64_t pairs = t.segments * t.pairs;
  float sum = 0;
  for (int64_t pair = 0; pair < pairs; pair += kBlockPairs) {
    for (const PieceProduct& product : ProductsOfPieces(t.pieces)) {
      const uint16_t* weight = t.weight + ((pair * t.pieces + product.weight * kBlockPairs) * width + j) * 2;
      for (int64_t i = pair; i < std::min(pair + kBlockPairs, pairs); ++i, weight += width * 2) {
        const uint16_t* a = t.a + r * t.lda + product.a * t.a_stride + i / t.pairs * t.segment_stride + i % t.pairs * 2;
        sum = Fma(ToFloat(a[1]), ToFloat(weight[1]), sum);
        sum = Fma(ToFloat(a[0]), ToFloat(weight[0]), sum);
      }
    }
  }
  return sum;
}

constexpr int64_t kRows = 8;

void Multiply(const BFloat16Tile& t) {
  const int64_t width = t.vectors * kBFloat16Lanes;
  std::array<float, kRows * kBFloat16Columns> sums;
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t j = 0; j < width; ++j) sums[r * width + j] = Sum(t, r, j);
  }
  if (t.pieces > 1) ReplaceNotFinite(t, t.rows, 0, t.vectors, sums.data());
  WriteSums(sums.data(), width, t.rows, t.result);
}

int64_t Height(int64_t /*vectors*/, int64_t rows) { return std::min(kRows, rows); }

}  // namespace

const BFloat16Tiles& PortableBFloat16Tiles() {
  static constexpr BFloat16Tiles kKernel{kRows,    kMostRowBlock, 1,     2,     Height,
                                         Multiply, Round,         Widen, Scale, ScaleBFloat16};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
