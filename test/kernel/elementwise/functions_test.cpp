// SPDX-License-Identifier: MIT
#include "kernel/elementwise/functions.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

double Hardswish(double x) { return x <= -3 ? 0 : (x >= 3 ? x : x * (x + 3) / 6); }

/// The function is exact beyond its limits; between them its error is the rounding of four operations.
TEST(FunctionsTest, HardswishIsNearItsDefinition) {
  std::vector<float> x = {-3.0F, 3.0F, std::nextafter(3.0F, 0.0F), std::nextafter(-3.0F, 0.0F), 1e30F, -1e30F, 0.0F};
  std::mt19937 engine(1);
  std::normal_distribution<float> normal(0, 2);
  while (x.size() < 1000003) x.push_back(normal(engine));
  std::vector<float> y(x.size());
  FindUnary("hardswish")->f32(x.data(), y.data(), static_cast<int64_t>(x.size()), nullptr);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = Hardswish(x[i]);
    const double tolerance = std::abs(x[i]) < 3 ? std::abs(expected) * 4 * 0x1p-24 : 0;
    ASSERT_NEAR(y[i], expected, tolerance) << "x " << x[i];
  }
}

TEST(FunctionsTest, HardswishKeepsInfinityAndNan) {
  const float x[] = {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
  float y[2];
  FindUnary("hardswish")->f32(x, y, 2, nullptr);
  EXPECT_EQ(y[0], x[0]);
  EXPECT_TRUE(std::isnan(y[1]));
}

}  // namespace
}  // namespace kuiper_infer::kernel
