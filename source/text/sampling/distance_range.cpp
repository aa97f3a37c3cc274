// SPDX-License-Identifier: MIT
#include "text/sampling/distance_range.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr float kHighest = std::numeric_limits<float>::max();

/// The place of a float among all floats. Its own inverse but for the types.
int64_t PlaceOf(float x) {
  int32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits < 0 ? -static_cast<int64_t>(bits & INT32_MAX) : bits;
}

float FloatAt(int64_t place) {
  const float magnitude = [&] {
    const auto bits = static_cast<int32_t>(std::abs(place));
    float x = 0;
    std::memcpy(&x, &bits, sizeof(x));
    return x;
  }();
  return place < 0 ? -magnitude : magnitude;
}

/// The float next to `end`, from `inside` on, whose distance is at most `distance`; `inside` has such a distance.
float LastWithin(double center, float distance, float inside, float end) {
  if (DistanceOf(end, center) <= distance) return end;
  int64_t within = PlaceOf(inside);
  int64_t beyond = PlaceOf(end);
  while (std::abs(beyond - within) > 1) {
    const int64_t middle = (within + beyond) / 2;
    (DistanceOf(FloatAt(middle), center) <= distance ? within : beyond) = middle;
  }
  return FloatAt(within);
}

}  // namespace

Range RangeWithin(double center, float distance) {
  const auto nearest = static_cast<float>(center);
  if (!(DistanceOf(nearest, center) <= distance)) return {};
  return {LastWithin(center, distance, nearest, kLowest), LastWithin(center, distance, nearest, kHighest)};
}

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
