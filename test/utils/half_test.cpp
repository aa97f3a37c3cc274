// SPDX-License-Identifier: MIT
#include "utils/half.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

TEST(HalfTest, EveryFloat16SurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = HalfBitsToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(HalfBitsToFloat(FloatToHalfBits(value))));
    } else {
      ASSERT_EQ(FloatToHalfBits(value), bits) << value;
    }
  }
}

TEST(HalfTest, RoundsToNearestEven) {
  EXPECT_EQ(FloatToHalfBits(1.0F + 1.0F / 2048), 0x3C00);  // halfway: to the even neighbour below
  EXPECT_EQ(FloatToHalfBits(1.0F + 3.0F / 2048), 0x3C02);  // halfway: to the even neighbour above
  EXPECT_EQ(FloatToHalfBits(65519.0F), 0x7BFF);            // the largest that stays finite
  EXPECT_EQ(FloatToHalfBits(65520.0F), 0x7C00);
  EXPECT_EQ(FloatToHalfBits(5.9604645e-8F), 0x0001);   // the smallest subnormal
  EXPECT_EQ(FloatToHalfBits(-2.9802322e-8F), 0x8000);  // half of it: to even, which is -0
  EXPECT_EQ(FloatToHalfBits(INFINITY), 0x7C00);
}

TEST(HalfTest, BFloat16KeepsTheUpperHalf) {
  EXPECT_EQ(BFloat16(1.0F).bits, 0x3F80);
  EXPECT_EQ(BFloat16(1.00390625F).bits, 0x3F80);  // halfway, even below
  EXPECT_FLOAT_EQ(static_cast<float>(BFloat16(-3.5F)), -3.5F);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(NAN))));
}

}  // namespace
}  // namespace kuiper_infer
