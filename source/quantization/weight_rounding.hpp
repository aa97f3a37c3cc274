// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer::quantization {

/// A weight of 8 bits as integers times a scale for each row, which is positive; a scale of zeros alone is 1.
struct RoundedWeight {
  std::vector<int8_t> numbers;  ///< in the weight's order
  std::vector<double> scales;
};

/// Rounds each of `rows` rows of `width` finite numbers as kernel::kInt8Format does.
RoundedWeight RoundByRow(const float* weight, int64_t rows, int64_t width);

/// How weights in 8 bits are rounded.
enum class WeightRounding {
  kByRow,        ///< RoundByRow
  kNarrowPairs,  ///< RoundToNarrowPairs, or RoundToNarrowColumns for depthwise windows
};

/// Rounds each of `rows` rows of `inputs` times `taps` finite numbers to integers which, in the order (taps, inputs),
/// are narrow pairs (kernel/product/int8/kernel.hpp): two neighbours from an even place of a segment on add up to -128
/// to 128. Pairs that don't are moved to the nearest ones that do. `segments` divides the taps. The row's scale is a
/// float32 number, at least that of RoundByRow; it has the least squared error if rounding errors are evenly spread.
RoundedWeight RoundToNarrowPairs(const float* weight, int64_t rows, int64_t inputs, int64_t taps, int64_t segments);

/// Rounds each of `windows` square windows of finite numbers to integers of which two, one below the other, add up to
/// -128 to 128: the narrow pairs of depthwise convolutions. The window's scale is the least under that condition.
RoundedWeight RoundToNarrowColumns(const float* weight, int64_t windows, int64_t side);

}  // namespace kuiper_infer::quantization
