// SPDX-License-Identifier: MIT
#include "utils/fused_multiply_add.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

constexpr float kUlp = 0x1p-23F;

TEST(FusedMultiplyAddTest, TheProductIsNotRounded) {
  // (1 + u)(1 + u) = 1 + 2u + u^2: of the rounded product nothing would be left.
  EXPECT_EQ(Fma(1 + kUlp, 1 + kUlp, -(1 + 2 * kUlp)), kUlp * kUlp);
}

TEST(FusedMultiplyAddTest, TheSumIsRoundedOnce) {
  // 1 + u/2 lies between two floats, and a number that a double does not hold beside it decides.
  const float tiny = 0x1p-80F;
  EXPECT_EQ(Fma(tiny, 1, 1 + kUlp), 1 + kUlp);
  EXPECT_EQ(Fma(1 + kUlp, 0x1p-24F, 1), 1 + kUlp);
  const float half = 0x1p-24F;
  EXPECT_EQ(Fma(half, 1, 1), 1) << "to even";
  EXPECT_EQ(Fma(half, 1 + kUlp, 1), 1 + kUlp);
  EXPECT_EQ(Fma(half, 1 - kUlp / 2, 1), 1);
  // 3 * 2^-24 above 1 is a tie as well; 2^-48 of a product of 48 bits decides.
  EXPECT_EQ(Fma(3 * half, 1, 1), 1 + 2 * kUlp) << "to even";
  EXPECT_EQ(Fma(3 * half, 1 - kUlp / 2, 1), 1 + kUlp);
}

TEST(FusedMultiplyAddTest, InfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Fma(infinity, 2, 1), infinity);
  EXPECT_EQ(Fma(3e38F, 2, 1), infinity);
  EXPECT_TRUE(std::isnan(Fma(infinity, 0, 1)));
  EXPECT_TRUE(std::isnan(Fma(1, 1, std::nanf(""))));
}

}  // namespace
}  // namespace kuiper_infer
