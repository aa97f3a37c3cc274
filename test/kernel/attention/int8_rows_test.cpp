// SPDX-License-Identifier: MIT
#include "kernel/attention/int8_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

/// Rounds rows (2, 3, width), the elements of a row `stride` apart, and returns their bytes.
std::vector<int8_t> Round(const std::vector<float>& numbers, int64_t width, int64_t stride) {
  const Shape shape{2, 3, width};
  const TensorSpec from(RuntimeDataType::kTypeFloat32, shape, {3 * width * stride, width * stride, stride});
  const TensorSpec to = Int8RowSpec(shape);
  std::vector<int8_t> rows(static_cast<std::size_t>(6 * Int8RowBytes(width)), int8_t{-128});
  RoundToInt8Rows(numbers.data(), from, rows.data(), to);
  return rows;
}

class Int8RowsTest : public testing::TestWithParam<int64_t> {};

TEST_P(Int8RowsTest, AreTheNearestMultiplesOfAScale) {
  for (const int64_t width : {1, 2, 3, 7, 8, 17, 64, 80, 130, 257}) {
    const int64_t stride = GetParam();
    std::mt19937 generator(static_cast<uint32_t>(width));
    std::normal_distribution<float> draw(0, 3);
    std::vector<float> numbers(static_cast<std::size_t>(6 * width * stride));
    for (float& x : numbers) x = draw(generator);
    const std::vector<int8_t> rows = Round(numbers, width, stride);
    for (int64_t row = 0; row < 6; ++row) {
      float largest = 0;
      for (int64_t k = 0; k < width; ++k) largest = std::max(largest, std::abs(numbers[(row * width + k) * stride]));
      const int8_t* const found = rows.data() + row * Int8RowBytes(width);
      EXPECT_EQ(ScaleOfInt8Row(found, width), largest / 127);
      for (int64_t k = 0; k < width; ++k) {
        const float step = numbers[(row * width + k) * stride] * (127 / largest);
        EXPECT_EQ(found[k], std::nearbyint(step)) << "width " << width << " row " << row << " element " << k;
      }
    }
    std::vector<float> read(static_cast<std::size_t>(6 * width));
    const TensorSpec to(RuntimeDataType::kTypeFloat32, {2, 3, width});
    ReadInt8Rows(rows.data(), Int8RowSpec(to.shape), read.data(), to);
    for (int64_t i = 0; i < 6 * width; ++i) {
      const int8_t* const row = rows.data() + i / width * Int8RowBytes(width);
      EXPECT_EQ(read[i], ScaleOfInt8Row(row, width) * static_cast<float>(row[i % width]));
    }
  }
}

TEST_P(Int8RowsTest, OfWhatIsNoNumberAreNaN) {
  constexpr int64_t kWidth = 21;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> numbers(static_cast<std::size_t>(6 * kWidth * GetParam()), 1.0F);
    numbers[20 * GetParam()] = -bad;  // of the first row
    const std::vector<int8_t> rows = Round(numbers, kWidth, GetParam());
    EXPECT_TRUE(std::isnan(ScaleOfInt8Row(rows.data(), kWidth)));
    EXPECT_EQ(rows[3], 0);
    EXPECT_EQ(ScaleOfInt8Row(rows.data() + Int8RowBytes(kWidth), kWidth), 1.0F / 127);
  }
  const std::vector<int8_t> zeros =
      Round(std::vector<float>(static_cast<std::size_t>(6 * kWidth * GetParam())), kWidth, GetParam());
  EXPECT_EQ(zeros[0], 0);
  EXPECT_FALSE(std::isnan(ScaleOfInt8Row(zeros.data(), kWidth)));
}

INSTANTIATE_TEST_SUITE_P(Strides, Int8RowsTest, testing::Values(1, 3));

TEST(Int8RowSpecTest, LiesOneBehindTheOther) {
  const TensorSpec spec = Int8RowSpec({2, 3, 5});
  EXPECT_EQ(spec.strides, (Strides{27, 9, 1}));
  EXPECT_TRUE(HasInt8Rows(spec));
  EXPECT_FALSE(HasInt8Rows(TensorSpec(RuntimeDataType::kTypeInt8, {2, 3, 5})));
  EXPECT_FALSE(HasInt8Rows(TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3, 5}, spec.strides)));
}

}  // namespace
}  // namespace kuiper_infer::kernel
