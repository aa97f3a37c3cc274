// SPDX-License-Identifier: MIT
#include "quantization/weight_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kuiper_infer::quantization {
namespace {

constexpr unsigned kSeed = 1908;

std::vector<float> Numbers(std::size_t count) {
  std::mt19937 generator(kSeed);
  std::normal_distribution<float> bell;
  std::vector<float> values(count);
  for (float& value : values) value = bell(generator);
  return values;
}

/// numpy: s = float32(abs(w).max(1) / 127); q = rint(w / s)
TEST(WeightRoundingTest, RowsAreRoundedAsNumpyWould) {
  constexpr int64_t kRows = 7;
  constexpr int64_t kWidth = 33;
  const std::vector<float> weight = Numbers(kRows * kWidth);
  const RoundedWeight rounded = RoundByRow(weight.data(), kRows, kWidth);
  ASSERT_EQ(rounded.scales.size(), static_cast<std::size_t>(kRows));
  for (int64_t row = 0; row < kRows; ++row) {
    double most = 0;
    for (int64_t i = 0; i < kWidth; ++i) most = std::max<double>(most, std::abs(weight[row * kWidth + i]));
    const auto scale = static_cast<double>(static_cast<float>(most / 127));
    EXPECT_EQ(rounded.scales[row], scale);
    int largest = 0;
    for (int64_t i = 0; i < kWidth; ++i) {
      const int q = rounded.numbers[row * kWidth + i];
      ASSERT_EQ(q, std::nearbyint(static_cast<double>(weight[row * kWidth + i]) / scale)) << "seed " << kSeed;
      largest = std::max(largest, std::abs(q));
    }
    EXPECT_EQ(largest, 127);
  }
}

TEST(WeightRoundingTest, ZerosAndTinyNumbersHavePositiveScales) {
  const std::vector<float> weight{0, 0, 1e-44F, -1e-44F, 1, -0.5F};
  const RoundedWeight rows = RoundByRow(weight.data(), 3, 2);
  EXPECT_EQ(rows.scales[0], 1);
  EXPECT_GT(static_cast<float>(rows.scales[1]), 0.0F);
  EXPECT_THAT(rows.numbers, testing::ElementsAre(0, 0, 0, 0, 127, -64));
}

double ErrorOf(const std::vector<float>& weight, const RoundedWeight& rounded) {
  const std::size_t width = weight.size() / rounded.scales.size();
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    sum += std::pow(static_cast<double>(weight[i]) - rounded.numbers[i] * rounded.scales[i / width], 2);
  }
  return sum;
}

struct Window {
  int64_t inputs, taps, segments;
};

/// Returns the largest sum of a pair of numbers in the order (taps, inputs); pairs begin at even places of a segment.
int LargestPair(const RoundedWeight& rounded, const Window& window) {
  const auto [inputs, taps, segments] = window;
  const int64_t depth = inputs * taps / segments;
  int largest = 0;
  for (std::size_t row = 0; row < rounded.scales.size(); ++row) {
    for (int64_t k = 0; k + 1 < inputs * taps; ++k) {
      if (k % depth % 2 == 1 || k % depth + 1 == depth) continue;
      int sum = 0;
      for (const int64_t place : {k, k + 1}) {
        sum += rounded.numbers[row * inputs * taps + place % inputs * taps + place / inputs];
      }
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest;
}

TEST(WeightRoundingTest, PairsAreNarrow) {
  for (const Window& window :
       {Window{64, 1, 1}, Window{33, 1, 1}, Window{16, 9, 3}, Window{3, 49, 7}, Window{3, 49, 1}, Window{5, 3, 1}}) {
    constexpr int64_t kRows = 50;
    const int64_t width = window.inputs * window.taps;
    const std::vector<float> weight = Numbers(kRows * width);
    const RoundedWeight any = RoundByRow(weight.data(), kRows, width);
    const RoundedWeight narrow = RoundToNarrowPairs(weight.data(), kRows, window.inputs, window.taps, window.segments);
    EXPECT_GT(LargestPair(any, window), 128) << "seed " << kSeed;
    EXPECT_EQ(LargestPair(narrow, window), 128) << "seed " << kSeed;
    for (const int8_t number : narrow.numbers) ASSERT_GE(number, -127);
    for (int64_t row = 0; row < kRows; ++row) ASSERT_GE(narrow.scales[row], any.scales[row]);
  }
}

TEST(WeightRoundingTest, ColumnsAreNarrow) {
  constexpr int64_t kWindows = 200;
  for (const int64_t side : {1, 2, 3, 5, 7}) {
    std::vector<float> weight = Numbers(kWindows * side * side);
    for (float& number : weight) number = std::abs(number);
    const RoundedWeight any = RoundByRow(weight.data(), kWindows, side * side);
    const RoundedWeight narrow = RoundToNarrowColumns(weight.data(), kWindows, side);
    int largest = 0;
    for (int64_t window = 0; window < kWindows; ++window) {
      const int8_t* const numbers = &narrow.numbers[window * side * side];
      int pair = 0;
      for (int64_t i = 0; i + side < side * side; ++i) pair = std::max(pair, std::abs(numbers[i] + numbers[i + side]));
      largest = std::max(largest, pair);
      EXPECT_GE(narrow.scales[window], any.scales[window]) << "seed " << kSeed;
      EXPECT_GE(std::max<int>(pair, *std::max_element(numbers, numbers + side * side)), 127) << "seed " << kSeed;
    }
    EXPECT_EQ(largest, side == 1 ? 0 : 128) << "seed " << kSeed;
  }
}

/// Halving all weights would make the pairs narrow, with four times the squared error.
TEST(WeightRoundingTest, NarrowPairsHaveNearlyTheLeastSquaredError) {
  constexpr int64_t kRows = 64;
  constexpr int64_t kWidth = 576;
  std::vector<float> weight = Numbers(kRows * kWidth);
  const double best = ErrorOf(weight, RoundByRow(weight.data(), kRows, kWidth));
  EXPECT_LT(ErrorOf(weight, RoundToNarrowPairs(weight.data(), kRows, kWidth, 1, 1)), 2.5 * best) << "seed " << kSeed;
  // This gives tails as heavy as those of trained weights.
  for (float& number : weight) number *= std::abs(number);
  const double heavy = ErrorOf(weight, RoundByRow(weight.data(), kRows, kWidth));
  EXPECT_LT(ErrorOf(weight, RoundToNarrowPairs(weight.data(), kRows, kWidth, 1, 1)), 1.5 * heavy) << "seed " << kSeed;
}

TEST(WeightRoundingTest, PairsThatAreNarrowAnywayAreRoundedByRow) {
  std::vector<float> weight = Numbers(10 * 24);
  for (std::size_t i = 1; i < weight.size(); i += 2) weight[i] = -weight[i - 1];
  const RoundedWeight any = RoundByRow(weight.data(), 10, 24);
  const RoundedWeight narrow = RoundToNarrowPairs(weight.data(), 10, 24, 1, 1);
  EXPECT_EQ(narrow.numbers, any.numbers);
  EXPECT_EQ(narrow.scales, any.scales);
  const RoundedWeight zeros = RoundToNarrowPairs(std::vector<float>(6).data(), 2, 3, 1, 1);
  EXPECT_THAT(zeros.numbers, testing::Each(0));
  EXPECT_THAT(zeros.scales, testing::Each(1));
}

}  // namespace
}  // namespace kuiper_infer::quantization
