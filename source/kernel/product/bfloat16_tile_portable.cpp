// SPDX-License-Identifier: MIT
// What the units of CPUs compute, in plain numbers: for CPUs without one, and to compare the units with.
#include <cmath>
#include <cstring>

#include "kernel/product/bfloat16_tile.hpp"

namespace kuiper_infer::kernel {
namespace {

float ToFloat(uint16_t bits) {
  const uint32_t word = static_cast<uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

uint16_t Rounded(float value) {
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  constexpr uint32_t kSign = 0x80000000U;
  constexpr uint32_t kInfinity = 0x7F800000U;
  constexpr uint32_t kQuiet = 0x00400000U;
  const uint32_t magnitude = word & ~kSign;
  if (magnitude > kInfinity) return static_cast<uint16_t>((word | kQuiet) >> 16);
  if (magnitude < 0x00800000U) return static_cast<uint16_t>((word & kSign) >> 16);
  return static_cast<uint16_t>((word + 0x7FFFU + (word >> 16 & 1U)) >> 16);
}

void Round(const float* from, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = Rounded(from[i]);
}

void Multiply(const BFloat16Tile& t) {
  const int64_t width = t.vectors * kBFloat16Lanes;
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t j = 0; j < t.columns; ++j) {
      float sum = 0;
      for (int64_t pair = 0; pair < t.pairs; ++pair) {
        const uint16_t* a = t.a + r * t.lda + 2 * pair;
        const uint16_t* weight = t.weight + (pair * width + j) * 2;
        sum = std::fma(ToFloat(a[1]), ToFloat(weight[1]), sum);
        sum = std::fma(ToFloat(a[0]), ToFloat(weight[0]), sum);
      }
      if (t.addend != nullptr) sum += t.addend[r * t.addend_ld + j];
      if (t.bias != nullptr) sum += t.bias[j];
      if (sum < t.least) sum = t.least;
      if (sum > t.most) sum = t.most;
      t.c[r * t.ldc + j] = sum;
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
