// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer::quantization {

/// Weights as integers times scales, which are positive; a scale of zeros alone is 1.
template <class Scale>
struct RoundedWeight {
  std::vector<int8_t> numbers;  ///< in the weight's order
  std::vector<Scale> scales;
};

/// Rounds each of `rows` rows of `width` finite numbers to -127 to 127 times the row's scale, which is its largest
/// magnitude by 127, a float32 number. Half-way numbers go to the even integer.
RoundedWeight<double> RoundByRow(const float* weight, int64_t rows, int64_t width);

/// How weights in 8 bits are rounded.
enum class WeightRounding {
  kByRow,        ///< RoundByRow
  kNarrowPairs,  ///< RoundToNarrowPairs, of depthwise windows RoundToNarrowColumns
};

/// Rounds each of `rows` rows of `inputs` times `taps` finite numbers to integers which, in the order (taps, inputs),
/// are narrow pairs (kernel/product/int8/product.hpp): two neighbours from an even place of a segment on add up to -128
/// to 128. Pairs that don't are moved to the nearest ones that do. `segments` divides the taps. The row's scale is a
/// float32 number, at least that of RoundByRow; it has the least squared error if rounding errors are evenly spread.
RoundedWeight<double> RoundToNarrowPairs(const float* weight, int64_t rows, int64_t inputs, int64_t taps,
                                         int64_t segments);

/// Rounds each of `windows` square windows of finite numbers to integers of which two, one below the other, add up to
/// -128 to 128: the narrow pairs of depthwise convolutions. The window's scale is the least under that condition.
RoundedWeight<double> RoundToNarrowColumns(const float* weight, int64_t windows, int64_t side);

/// Rounds to 8 bits, -127 to 127, or 4 bits, -8 to 7, times a scale for each of the `groups` equal parts of a row. In 4
/// bits, the scale is that of several with the least squared error.
RoundedWeight<float> RoundByGroup(const float* weight, int64_t rows, int64_t width, int64_t groups, int bits);

/// Integers from -8 to 7, two a byte, each 8 larger, the even one in the low four bits. Their count is even.
std::vector<uint8_t> PackNibbles(const std::vector<int8_t>& numbers);

}  // namespace kuiper_infer::quantization
