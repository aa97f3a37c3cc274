// SPDX-License-Identifier: MIT
// What the units of CPUs compute, in plain numbers: for CPUs without one, and to compare the units with.
#include <cmath>
#include <cstring>

#include "kernel/product/bfloat16_tile.hpp"
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

void Multiply(const BFloat16Tile& t) {
  const TileResult& result = t.result;
  const int64_t width = t.vectors * kBFloat16Lanes;
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t j = 0; j < result.columns; ++j) {
      float sum = 0;
      for (int64_t pair = 0; pair < t.pairs; ++pair) {
        const uint16_t* a = t.a + r * t.lda + 2 * pair;
        const uint16_t* weight = t.weight + (pair * width + j) * 2;
        sum = std::fma(ToFloat(a[1]), ToFloat(weight[1]), sum);
        sum = std::fma(ToFloat(a[0]), ToFloat(weight[0]), sum);
      }
      if (result.addend != nullptr) sum += result.addend[r * result.addend_ld + j];
      if (result.bias != nullptr) sum += result.bias[j];
      if (sum < result.least) sum = result.least;
      if (sum > result.most) sum = result.most;
      result.c[r * result.ldc + j] = sum;
    }
  }
}

int64_t Height(int64_t /*vectors*/) { return 8; }

}  // namespace

const BFloat16Kernel& PortableBFloat16Kernel() {
  static constexpr BFloat16Kernel kKernel{Height, Multiply, Round};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
