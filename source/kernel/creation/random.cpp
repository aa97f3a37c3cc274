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

/// Takes `count` numbers of the process's sequence and returns the index of the first one.
uint64_t Take(uint64_t count) {
  static std::atomic<uint64_t> next{0};
  return next.fetch_add(count);
}

/// Counts how many uniform numbers can be multiplied before the product falls to e^-rate (Knuth, 1969).
double SmallPoisson(double rate, uint64_t index) {
  const double least = std::exp(-rate);
  double count = 0;
  for (double product = Unit(index++); product > least; product *= Unit(index++)) ++count;
  return count;
}

/// Transformed rejection, algorithm PTRS of Hoermann: The transformed rejection method for generating Poisson random
/// variables, Insurance: Mathematics and Economics 12, 1993. For rates from 10 on.
double LargePoisson(double rate, uint64_t index) {
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double quick = 0.9277 - 3.6224 / (b - 2);
  for (;; index += 2) {
    const double u = Unit(index) - 0.5;
    const double v = Unit(index + 1);
    const double distance = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / distance + b) * u + rate + 0.43);
    if (distance >= 0.07 && v <= quick) return k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    const double accepted = k * std::log(rate) - rate - std::lgamma(k + 1);
    if (std::log(v * inverse_alpha / (a / (distance * distance) + b)) <= accepted) return k;
  }
}

}  // namespace

template <class T>
void DrawPoisson(int64_t count, const T* rates, T* out) {
  constexpr double kLarge = 10;
  const uint64_t start = Take(static_cast<uint64_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const auto rate = static_cast<double>(rates[i]);
    // Each element has a sequence of its own, since it is not known how many numbers it takes.
    const uint64_t index = RandomBits(start + static_cast<uint64_t>(i));
    out[i] = static_cast<T>(rate < kLarge ? SmallPoisson(rate, index) : LargePoisson(rate, index));
  }
}

template <class T>
void Draw(const Distribution& distribution, int64_t count, T* out) {
  const uint64_t start = Take(2 * static_cast<uint64_t>(count));
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

template void DrawPoisson(int64_t, const float*, float*);
template void DrawPoisson(int64_t, const double*, double*);
template void Draw(const Distribution&, int64_t, float*);
template void Draw(const Distribution&, int64_t, double*);
template void Draw(const Distribution&, int64_t, int64_t*);
template void Draw(const Distribution&, int64_t, int32_t*);
template void Draw(const Distribution&, int64_t, int16_t*);
template void Draw(const Distribution&, int64_t, int8_t*);
template void Draw(const Distribution&, int64_t, uint8_t*);
template void Draw(const Distribution&, int64_t, bool*);

}  // namespace kuiper_infer::kernel
