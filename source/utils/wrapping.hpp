// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

namespace kuiper_infer {

/// Arithmetic whose integers wrap around, as PyTorch's do; C++ leaves the overflow of signed integers undefined.
/// Floating-point numbers are computed as usual.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;

template <class T>
T WrappingAdd(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}

template <class T>
T WrappingSubtract(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}

template <class T>
T WrappingMultiply(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}

/// -x; the most negative integer stays itself.
template <class T>
T WrappingNegate(T x) {
  if constexpr (std::is_integral_v<T>) {
    return WrappingSubtract(T(0), x);
  } else {
    return -x;
  }
}

}  // namespace kuiper_infer
