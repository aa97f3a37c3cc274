// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace kuiper_infer {

/// Elements for a kernel to write, with sentinels on both sides that it must leave alone.
template <class T>
class GuardedArray {
 public:
  explicit GuardedArray(int64_t count)
      : count_(count), bytes_(2 * kMargin + static_cast<std::size_t>(count) * sizeof(T), kSentinel) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data() + kMargin); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.data() + kMargin); }
  const T& operator[](int64_t i) const { return data()[i]; }
  int64_t size() const { return count_; }

  /// Returns whether the sentinels are unchanged.
  bool intact() const {
    const auto kept = [](std::byte byte) { return byte == kSentinel; };
    return std::all_of(bytes_.begin(), bytes_.begin() + kMargin, kept) &&
           std::all_of(bytes_.end() - kMargin, bytes_.end(), kept);
  }

  /// Returns whether element i has never been written.
  bool untouched(int64_t i) const {
    const std::byte* element = bytes_.data() + kMargin + static_cast<std::size_t>(i) * sizeof(T);
    return std::all_of(element, element + sizeof(T), [](std::byte byte) { return byte == kSentinel; });
  }

 private:
  static constexpr std::size_t kMargin = 64;
  static constexpr std::byte kSentinel{0xA5};

  int64_t count_;
  std::vector<std::byte> bytes_;
};

/// Returns whether two numbers have the same bits or are both NaN.
template <class T>
bool SameNumber(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

/// Returns a number in a printable type: streams print small integers as characters.
template <class T>
auto Shown(const T& number) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<int64_t>(number);
  } else {
    return number;
  }
}

}  // namespace kuiper_infer
