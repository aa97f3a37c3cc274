// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace kuiper_infer {

/// Returns elements in [-1, 1), or integers in [-9, 9]. A seed always gives the same elements.
template <class T>
std::vector<T> RandomVector(int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(std::uniform_int_distribution<int>(-9, 9)(generator));
    } else {
      value = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(generator));
    }
  }
  return values;
}

/// Returns the error of a sum of `terms` products of numbers up to 1 that is rounded to T after each addition.
template <class T>
double SumTolerance(int64_t terms) {
  if constexpr (std::is_integral_v<T>) return 0;
  return (static_cast<double>(terms) + 4) * (sizeof(T) == 4 ? 1.2e-7 : 2.3e-16);
}

}  // namespace kuiper_infer
