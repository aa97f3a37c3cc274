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

/// Compares mean, variance and the share of each small number with the distribution's, for rates on both sides of the
/// place where the algorithm changes.
TEST(Draw, PoissonNumbersHaveTheGivenRates) {
  for (const double rate : {0.0, 0.3, 3.0, 9.9, 10.0, 25.0, 1e4}) {
    SCOPED_TRACE(rate);
    const std::vector<double> rates(kCount, rate);
    std::vector<double> x(kCount);
    DrawPoisson(kCount, rates.data(), x.data());
    EXPECT_NEAR(Moment(x, 0, 1), rate, 6 * std::sqrt(rate / kCount));
    // The fourth central moment is rate + 3 rate^2.
    EXPECT_NEAR(Moment(x, rate, 2), rate, 6 * std::sqrt((rate + 2 * rate * rate) / kCount));
    double probability = std::exp(-rate);
    for (int k = 0; k < 60; probability *= rate / ++k) {
      const double share = static_cast<double>(std::count(x.begin(), x.end(), k)) / kCount;
      EXPECT_NEAR(share, probability, 6 * std::sqrt(probability / kCount) + 4.0 / kCount) << k;
    }
  }
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
