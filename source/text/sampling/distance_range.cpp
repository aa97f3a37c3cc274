// SPDX-License-Identifier: MIT
#include "text/sampling/distance_range.hpp"

#include <algorithm>
#include <limits>

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr float kHighest = std::numeric_limits<float>::max();

}  // namespace

Range RangeAround(double center, float distance) {
  if (distance < 0) return {};
  return {std::max(kLowest, static_cast<float>(center - static_cast<double>(distance))),
          std::min(kHighest, static_cast<float>(center + static_cast<double>(distance)))};
}

float FarthestIn(Range range, double center) {
  if (range.least > range.most) return -1;
  return std::max(DistanceOf(range.least, center), DistanceOf(range.most, center));
}

float NearestOutside(Range range, double center) {
  return std::min(DistanceOf(std::nextafter(range.least, -kInfinity), center),
                  DistanceOf(std::nextafter(range.most, kInfinity), center));
}

}  // namespace kuiper_infer::text
