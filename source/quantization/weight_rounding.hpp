// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer::quantization {

/// A weight of 8 bits as integers times a positive scale for each row. The scale of a row of zeros is 1.
struct RoundedWeight {
  std::vector<int8_t> numbers;  ///< in the weight's order
  std::vector<double> scales;
};

/// Rounds each of `rows` rows of `width` finite numbers as kernel::kInt8Format does.
RoundedWeight RoundByRow(const float* weight, int64_t rows, int64_t width);

/// The rule by which weights are rounded to 8 bits.
enum class WeightRounding {
  kByRow,        ///< RoundByRow
  kNarrowPairs,  ///< RoundToNarrowPairs, or RoundToNarrowColumns for depthwise windows
};

/// Rounds each of `rows` rows of `inputs` times `taps` finite numbers to integers that are narrow pairs in the order
/// (taps, inputs), see kernel/product/int8/kernel.hpp: two neighbours that begin at an even place of a segment add up
/// to between -128 and 128. A pair that does not is replaced by the nearest pair that does. `segments` divides the
/// number of taps. The row's scale is a float32 number, at least that of RoundByRow; it has the least squared error if
/// rounding errors are evenly distributed.
RoundedWeight RoundToNarrowPairs(const float* weight, int64_t rows, int64_t inputs, int64_t taps, int64_t segments);

/// Rounds each of `windows` square windows of finite numbers to narrow pairs for depthwise convolutions: two integers,
/// one below the other, add up to between -128 and 128. The window's scale is the smallest under that condition.
RoundedWeight RoundToNarrowColumns(const float* weight, int64_t windows, int64_t side);

}  // namespace kuiper_infer::quantization
