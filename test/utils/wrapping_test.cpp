// SPDX-License-Identifier: MIT
#include "utils/wrapping.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

TEST(WrappingTest, IntegersAreModuloTwoToThePowerOfTheirWidth) {
  EXPECT_EQ(WrappingAdd(kMost, int64_t{1}), kLeast);
  EXPECT_EQ(WrappingSubtract(kLeast, int64_t{1}), kMost);
  EXPECT_EQ(WrappingMultiply(int64_t{1} << 62, int64_t{2}), kLeast);
  EXPECT_EQ(WrappingMultiply(kMost, kMost), 1);
  EXPECT_EQ(WrappingNegate(kLeast), kLeast);
  EXPECT_EQ(WrappingAdd(int8_t{127}, int8_t{1}), -128);
  EXPECT_EQ(WrappingMultiply(std::numeric_limits<int32_t>::max(), 2), -2);
}

TEST(WrappingTest, FloatingNumbersAreComputedAsEver) {
  EXPECT_EQ(WrappingAdd(0.25F, 0.5F), 0.75F);
  EXPECT_EQ(WrappingNegate(-1.5), 1.5);
}

}  // namespace
}  // namespace kuiper_infer
