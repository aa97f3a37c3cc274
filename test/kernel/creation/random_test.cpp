// SPDX-License-Identifier: MIT
#include "kernel/creation/random.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kCount = 200000;

template <class T>
std::vector<T> Drawn(Distribution::Kind kind, double first, double second) {
  std::vector<T> numbers(kCount);
  Draw<T>({kind, first, second}, kCount, numbers.data());
  return numbers;
}

template <class T>
double Moment(const std::vector<T>& numbers, double centre, int power) {
  double sum = 0;
  for (const T x : numbers) sum += std::pow(static_cast<double>(x) - centre, power);
  return sum / static_cast<double>(numbers.size());
}

// Bounds are 6 standard errors of the estimate.
TEST(Draw, NormalNumbersHaveTheGivenMeanAndDeviation) {
  const std::vector<float> x = Drawn<float>(Distribution::Kind::kNormal, 3, 2);
  const double error = 6 * 2 / std::sqrt(kCount);
  EXPECT_NEAR(Moment(x, 0, 1), 3, error);
  EXPECT_NEAR(Moment(x, 3, 2), 4, 6 * 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(Moment(x, 3, 3) / 8, 0, 6 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(Moment(x, 3, 4) / 16, 3, 6 * std::sqrt(96.0 / kCount));
}

TEST(Draw, UniformNumbersFillTheInterval) {
  for (const double low : {0.0, -2.0}) {
    const std::vector<float> x = Drawn<float>(Distribution::Kind::kUniform, low, 1);
    const double width = 1 - low;
    EXPECT_GE(*std::min_element(x.begin(), x.end()), low);
    EXPECT_LT(*std::max_element(x.begin(), x.end()), 1.0F);
    EXPECT_NEAR(Moment(x, 0, 1), low + width / 2, 6 * width / std::sqrt(12.0 * kCount));
    EXPECT_NEAR(Moment(x, low + width / 2, 2), width * width / 12, 6 * width * width / std::sqrt(180.0 * kCount));
  }
}

TEST(Draw, IntegersAreEquallyFrequent) {
  const std::vector<int64_t> x = Drawn<int64_t>(Distribution::Kind::kIntegers, -3, 5);
  for (int64_t number = -3; number < 5; ++number) {
    const double share = static_cast<double>(std::count(x.begin(), x.end(), number)) / kCount;
    EXPECT_NEAR(share, 0.125, 6 * std::sqrt(0.125 * 0.875 / kCount)) << number;
  }
  EXPECT_EQ(std::set<int64_t>(x.begin(), x.end()).size(), 8U);
}

TEST(Draw, CallsDontRepeatNumbers) {
  const std::vector<double> first = Drawn<double>(Distribution::Kind::kUniform, 0, 1);
  const std::vector<double> second = Drawn<double>(Distribution::Kind::kUniform, 0, 1);
  std::set<double> all(first.begin(), first.end());
  all.insert(second.begin(), second.end());
  EXPECT_EQ(all.size(), 2U * kCount);
}

}  // namespace
}  // namespace kuiper_infer::kernel
