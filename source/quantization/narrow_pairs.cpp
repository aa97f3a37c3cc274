// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "kernel/product/format/rounding_step.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "quantization/weight_rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The places of two numbers in their row; kNone if the first one is alone.
struct Pair {
  int64_t first, second;
};
constexpr int64_t kNone = -1;

std::vector<Pair> PairsOf(int64_t inputs, int64_t taps, int64_t segments) {
  const int64_t depth = inputs * taps / segments;
  const auto place = [&](int64_t segment, int64_t i) {
    const int64_t k = segment * depth + i;
    return i < depth ? k % inputs * taps + k / inputs : kNone;
  };
  std::vector<Pair> pairs;
  for (int64_t segment = 0; segment < segments; ++segment) {
    for (int64_t i = 0; i < depth; i += 2) pairs.push_back({place(segment, i), place(segment, i + 1)});
  }
  return pairs;
}

double NumberAt(const float* row, int64_t place) { return place == kNone ? 0 : static_cast<double>(row[place]); }

/// The scale of a row of `width` numbers, at least `least`.
///
/// Of a scale s, the numbers have a squared rounding error of s^2 / 12 each; a pair whose sum has the magnitude
/// m > 128 s is moved by (m - 128 s) / sqrt(2). The total is convex in s; where the k largest pairs are moved, its
/// derivative is zero at s = 128 sum(m) / (width / 6 + 128^2 k).
double ScaleOfPairs(const float* row, int64_t width, const std::vector<Pair>& pairs, double least) {
  constexpr double kMost = kernel::kMostNarrowPair;
  std::vector<double> large;
  for (const Pair& pair : pairs) {
    const double magnitude = std::abs(NumberAt(row, pair.first) + NumberAt(row, pair.second));
    if (magnitude > kMost * least) large.push_back(magnitude);
  }
  std::sort(large.begin(), large.end(), std::greater<>());
  double sum = 0;
  double scale = least;
  for (std::size_t k = 0; k < large.size() && large[k] > kMost * scale; ++k) {
    sum += large[k];
    scale =
        std::max(least, kMost * sum / (static_cast<double>(width) / 6 + kMost * kMost * static_cast<double>(k + 1)));
  }
  return scale;
}

/// Rounds two numbers, given in steps of the scale.
std::pair<int, int> RoundPair(double a, double b) {
  constexpr int kMost = kernel::kMostNarrowPair;
  const int rounded_a = kernel::RoundToStep(a, 1, -127, 127);
  const int rounded_b = kernel::RoundToStep(b, 1, -127, 127);
  if (std::abs(rounded_a + rounded_b) <= kMost) return {rounded_a, rounded_b};
  const int sum = rounded_a + rounded_b > 0 ? kMost : -kMost;
  const int moved = kernel::RoundToStep((a - b + sum) / 2, 1, -127, 127);
  return {moved, sum - moved};
}

}  // namespace

RoundedWeight RoundToNarrowPairs(const float* weight, int64_t rows, int64_t inputs, int64_t taps, int64_t segments) {
  const int64_t width = inputs * taps;
  const std::vector<Pair> pairs = PairsOf(inputs, taps, segments);
  RoundedWeight rounded;
  rounded.numbers.resize(static_cast<std::size_t>(rows * width));
  rounded.scales.resize(static_cast<std::size_t>(rows));
  ParallelFor(rows, GrainFor(width * 8), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      const float* const row = weight + r * width;
      const double least = kernel::PositiveScale(kernel::LargestMagnitude(row, width) / 127);
      const double scale = kernel::PositiveScale(ScaleOfPairs(row, width, pairs, least));
      rounded.scales[r] = scale;
      int8_t* const numbers = &rounded.numbers[r * width];
      for (const Pair& pair : pairs) {
        const auto [a, b] = RoundPair(NumberAt(row, pair.first) / scale, NumberAt(row, pair.second) / scale);
        numbers[pair.first] = static_cast<int8_t>(a);
        if (pair.second != kNone) numbers[pair.second] = static_cast<int8_t>(b);
      }
    }
  });
  return rounded;
}

RoundedWeight RoundToNarrowColumns(const float* weight, int64_t windows, int64_t side) {
  constexpr double kMost = kernel::kMostNarrowPair * (1 - 1e-6);  // the scale is rounded to float32
  const int64_t taps = side * side;
  RoundedWeight rounded;
  for (int64_t w = 0; w < windows; ++w) {
    const float* const window = weight + w * taps;
    double scale = kernel::LargestMagnitude(window, taps) / 127;
    for (int64_t i = 0; i + side < taps; ++i) {
      scale = std::max(scale, std::abs(NumberAt(window, i) + NumberAt(window, i + side)) / kMost);
    }
    scale = kernel::PositiveScale(scale);
    rounded.scales.push_back(scale);
    for (int64_t i = 0; i < taps; ++i) {
      rounded.numbers.push_back(static_cast<int8_t>(kernel::RoundToStep(NumberAt(window, i), scale, -127, 127)));
    }
  }
  return rounded;
}

}  // namespace kuiper_infer::quantization
