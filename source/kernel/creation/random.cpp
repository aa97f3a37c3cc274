// SPDX-License-Identifier: MIT
#include "kernel/creation/random.hpp"

#include <atomic>
#include <cmath>

namespace kuiper_infer::kernel {
namespace {

/// Number `index` of a random sequence: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014), which mixes the bits of a counter.
uint64_t RandomBits(uint64_t index) {
  uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// A number in (0, 1): one of the middles of 2^53 equal parts.
double Unit(uint64_t index) { return (static_cast<double>(RandomBits(index) >> 11U) + 0.5) * 0x1p-53; }

}  // namespace

template <class T>
void Draw(const Distribution& distribution, int64_t count, T* out) {
  static std::atomic<uint64_t> next{0};
  const uint64_t start = next.fetch_add(2 * static_cast<uint64_t>(count));
  const double width = distribution.second - distribution.first;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t index = start + 2 * static_cast<uint64_t>(i);
    const double unit = Unit(index);
    switch (distribution.kind) {
      case Distribution::Kind::kUniform:
        out[i] = static_cast<T>(distribution.first + width * unit);
        break;
      case Distribution::Kind::kNormal: {  // Box and Muller, 1958
        constexpr double kTwoPi = 6.283185307179586;
        const double normal = std::sqrt(-2 * std::log(unit)) * std::cos(kTwoPi * Unit(index + 1));
        out[i] = static_cast<T>(distribution.first + distribution.second * normal);
        break;
      }
      case Distribution::Kind::kIntegers:
        out[i] = static_cast<T>(distribution.first + std::floor(width * unit));
        break;
    }
  }
}

template void Draw(const Distribution&, int64_t, float*);
template void Draw(const Distribution&, int64_t, double*);
template void Draw(const Distribution&, int64_t, int64_t*);
template void Draw(const Distribution&, int64_t, int32_t*);
template void Draw(const Distribution&, int64_t, int16_t*);
template void Draw(const Distribution&, int64_t, int8_t*);
template void Draw(const Distribution&, int64_t, uint8_t*);
template void Draw(const Distribution&, int64_t, bool*);

}  // namespace kuiper_infer::kernel
