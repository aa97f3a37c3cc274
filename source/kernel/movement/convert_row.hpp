// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "utils/half.hpp"

namespace kuiper_infer::kernel {

template <class T>
struct IsComplexType : std::false_type {};
template <class T>
struct IsComplexType<std::complex<T>> : std::true_type {};

/// Converts an element as PyTorch does; copy.hpp has the rules.
template <class To, class From>
To Convert(const From& value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Float16> || std::is_same_v<From, BFloat16>) {
    return Convert<To>(static_cast<float>(value));
  } else if constexpr (IsComplexType<From>::value) {
    if constexpr (IsComplexType<To>::value) {
      return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return value != From(0);
    } else {
      return Convert<To>(value.real());
    }
  } else if constexpr (IsComplexType<To>::value) {
    return To(static_cast<typename To::value_type>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, uint8_t> && std::is_floating_point_v<From>) {
    return static_cast<uint8_t>(Convert<int64_t>(value));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(value)) return 0;
    constexpr auto kLow = static_cast<double>(std::numeric_limits<To>::min());
    constexpr auto kHigh = static_cast<double>(std::numeric_limits<To>::max());
    if (value <= kLow) return std::numeric_limits<To>::min();
    if (value >= kHigh) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  } else if constexpr (std::is_same_v<To, Float16> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// Converts `count` elements. Strides count elements.
template <class From, class To>
void ConvertRow(const void* source, int64_t from_stride, void* target, int64_t to_stride, int64_t count) {
  const auto* from = static_cast<const From*>(source);
  auto* to = static_cast<To*>(target);
  if (from_stride == 1 && to_stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = Convert<To>(from[i]);
    return;
  }
  for (; count > 0; --count, from += from_stride, to += to_stride) {
    *to = Convert<To>(*from);
    __asm__("" : "+r"(from), "+r"(to));  // otherwise GCC 12 makes long code of vectors, which is no faster
  }
}

}  // namespace kuiper_infer::kernel
