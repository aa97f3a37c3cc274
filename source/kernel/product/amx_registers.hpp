// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace kuiper_infer::kernel {

/// How products use AMX's tile registers, of which a thread has eight: 0 to 3 hold sums, a block of 2 x 2 registers or
/// a row of up to four, 4 and 5 the rows of the left factor, 6 and 7 the weight. Each product of two registers takes 16
/// cycles; in a block of 2 x 2, one register has to be loaded for it.
constexpr int64_t kAmxRows = 16;   ///< of a register
constexpr int64_t kAmxBytes = 64;  ///< of a row
constexpr int kAmxLeft = 4;
constexpr int kAmxWeight = 6;
constexpr int kAmxWeights = 2;

/// The register of a block's sums in row `row` and column `column` of its registers.
constexpr int AmxSum(int height, int row, int column) { return height == 1 ? column : 2 * row + column; }

/// The registers' sizes in the form that the CPU reads.
struct alignas(64) AmxSizes {
  uint8_t palette = 1;  ///< the number of the one set of limits that CPUs have: 8 registers of 1 KiB
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};

  /// The sizes for `count` rows of sums, up to 32. From 17 rows on, sums are blocks of 2 x 2 registers.
  static constexpr AmxSizes ForRows(int64_t count) {
    AmxSizes sizes;
    const auto first = static_cast<uint8_t>(std::min(count, kAmxRows));
    const auto second = static_cast<uint8_t>(count > kAmxRows ? count - kAmxRows : first);
    for (const int i : {0, 1, kAmxLeft}) sizes.rows[i] = first;
    for (const int i : {2, 3, kAmxLeft + 1}) sizes.rows[i] = second;
    return sizes;
  }
};
static_assert(sizeof(AmxSizes) == 64);

template <class F, int... kNumbers>
void CallWithEach(const F& f, std::integer_sequence<int, kNumbers...> /*numbers*/) {
  (f(std::integral_constant<int, kNumbers>()), ...);
}

/// Calls f with each number below kCount as a constant, since the registers' numbers are part of the operations.
template <int kCount, class F>
void ForEach(const F& f) {
  CallWithEach(f, std::make_integer_sequence<int, kCount>());
}

/// Calls f(row, column) for each register of a block of kHeight x kWidth registers, with both numbers as constants.
template <int kHeight, int kWidth, class F>
void ForEachInBlock(const F& f) {
  ForEach<kHeight * kWidth>(
      [&](auto i) { f(std::integral_constant<int, i / kWidth>(), std::integral_constant<int, i % kWidth>()); });
}

/// Prefetches `bytes` bytes into the second-level cache.
inline void FetchAhead(const void* from, int64_t bytes) {
  constexpr int64_t kLine = 64;
  for (int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(static_cast<const char*>(from) + i, 0, 2);
}

}  // namespace kuiper_infer::kernel
