// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "text/sampling/range_sums.hpp"

namespace kuiper_infer::text {

/// How far a token's x is from a center.
inline float DistanceOf(float x, double center) {
  return static_cast<float>(std::abs(static_cast<double>(x) - center));
}

/// The finite numbers whose distance from the center is at most `distance`; none if it is negative. Rounding decides
/// about the numbers next to the limits.
Range RangeAround(double center, float distance);

/// A distance that is at least that of all numbers in a range around the center; -1 if it has none.
float FarthestIn(Range range, double center);
/// The smallest distance of a number outside of a range around the center.
float NearestOutside(Range range, double center);

}  // namespace kuiper_infer::text
