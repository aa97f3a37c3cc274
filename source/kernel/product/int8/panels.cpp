// SPDX-License-Identifier: MIT
#include "kernel/product/int8/panels.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Calls visit(place, j, i, t) for every number of a panel's columns [0, columns), with its place in the panel and its
/// indices in the weight.
template <class Visit>
void ForPanel(const TransposedWeight& weight, int64_t columns, int64_t width, const Visit& visit) {
  const int64_t segment_taps = weight.taps / weight.segments;
  const int64_t segment_quads = DivideUp(segment_taps * weight.inputs, 4);
  for (int64_t t = 0; t < weight.taps; ++t) {
    for (int64_t i = 0; i < weight.inputs; ++i) {
      const int64_t k = t % segment_taps * weight.inputs + i;
      const int64_t quad = t / segment_taps * segment_quads + k / 4;
      for (int64_t j = 0; j < columns; ++j) visit((quad * width + j) * 4 + k % 4, j, i, t);
    }
  }
}

/// Finds the magnitude of the largest pair in each of `width` columns.
void FindLargestPairs(const int8_t* panel, int64_t width, int64_t bytes, int32_t* pairs) {
  for (int64_t quad = 0; quad < bytes; quad += width * 4) {
    for (int64_t j = 0; j < width; ++j) {
      const int8_t* const numbers = panel + quad + j * 4;
      pairs[j] = std::max({pairs[j], std::abs(numbers[0] + numbers[1]), std::abs(numbers[2] + numbers[3])});
    }
  }
}

}  // namespace

int64_t Int8Panels::Bytes(int64_t columns, int64_t depth, int64_t segments) const {
  return RoundUp(columns, kInt8Lanes) * Int8ColumnBytes(depth, segments);
}

void Int8Panels::Pack(const TransposedWeight& weight, void* packed) const {
  const int64_t depth = weight.inputs * (weight.taps / weight.segments);
  for (int64_t first = 0; first < weight.columns; first += kInt8Columns) {
    const int64_t width = Int8PanelVectors(weight.columns, first / kInt8Columns) * kInt8Lanes;
    const int64_t inside = std::min(width, weight.columns - first);
    auto* const panel = static_cast<int8_t*>(packed) + first * Int8ColumnBytes(depth, weight.segments);
    const int64_t bytes = width * Int8Quads(depth, weight.segments) * 4;
    int32_t sums[kInt8Columns] = {};
    std::fill_n(panel, bytes, int8_t{0});
    ForPanel(weight, inside, width, [&](int64_t place, int64_t j, int64_t i, int64_t t) {
      const auto number = static_cast<int8_t>(weight.numbers[(first + j) * weight.ld + i * weight.taps + t]);
      panel[place] = number;
      sums[j] += number;
    });
    int32_t pairs[kInt8Columns] = {};
    FindLargestPairs(panel, width, bytes, pairs);
    const std::size_t end_bytes = static_cast<std::size_t>(width) * sizeof(int32_t);
    std::memcpy(panel + bytes, sums, end_bytes);
    std::memcpy(panel + bytes + end_bytes, pairs, end_bytes);
  }
}

void Int8Panels::Unpack(const TransposedWeight& weight, const void* packed, float* transposed) const {
  const int64_t depth = weight.inputs * (weight.taps / weight.segments);
  for (int64_t first = 0; first < weight.columns; first += kInt8Columns) {
    const int64_t width = Int8PanelVectors(weight.columns, first / kInt8Columns) * kInt8Lanes;
    const auto* const panel = static_cast<const int8_t*>(packed) + first * Int8ColumnBytes(depth, weight.segments);
    ForPanel(weight, std::min(width, weight.columns - first), width,
             [&](int64_t place, int64_t j, int64_t i, int64_t t) {
               transposed[(first + j) * weight.depth() + i * weight.taps + t] = panel[place];
             });
  }
}

}  // namespace kuiper_infer::kernel
