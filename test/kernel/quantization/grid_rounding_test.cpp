// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/quantization/quantize.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr QuantizationGrid kGrids[] = {
    {1, 0, 0, 255},        {0.0371F, 128, 0, 255}, {0.02F, 255, 0, 255}, {3.7F, 7, 3, 90},
    {0.1F, -5, -128, 127}, {1e-6F, 40, 0, 127},    {0.5F, 17, 17, 17},   {2e-4F, 3, -2147483647 - 1, 2147483647}};

bool HoldsBytes(const QuantizationGrid& grid) { return grid.least >= 0 && grid.most <= 255; }

/// Rounds by the definition in double, in which no sum is rounded.
double Nearest(const QuantizationGrid& grid, float x) {
  const float steps = x * (1.0F / grid.scale);
  if (std::isnan(steps)) return grid.least;
  return std::clamp<double>(std::nearbyint(static_cast<double>(steps)) + grid.zero_point, grid.least, grid.most);
}

/// Returns numbers of every magnitude, numbers half-way between two numbers of the grid with their neighbours,
/// infinities and NaN.
std::vector<float> Numbers(const QuantizationGrid& grid, uint32_t seed) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> numbers{0,
                             -0.0F,
                             infinity,
                             -infinity,
                             std::nanf(""),
                             -std::nanf(""),
                             3.4e38F,
                             -3.4e38F,
                             1e-40F,
                             8388609.0F * grid.scale,
                             4294967296.0F * grid.scale};
  for (int q = -300; q <= 300; ++q) {
    const float half = (static_cast<float>(q) + 0.5F) * grid.scale;
    for (const float x : {half, std::nextafter(half, infinity), std::nextafter(half, -infinity)}) numbers.push_back(x);
  }
  for (const float size : {1.0F, 20.0F, 200.0F, 1e6F}) {
    for (const float x : RandomVector<float>(1000, seed)) numbers.push_back(x * size * grid.scale);
  }
  return numbers;
}

uint32_t BitsOf(float x) {
  uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}

TEST(Quantize, RoundsAsDefined) {
  uint32_t seed = 1;
  for (const QuantizationGrid& grid : kGrids) {
    const std::vector<float> numbers = Numbers(grid, ++seed);
    const auto count = static_cast<int64_t>(numbers.size());
    std::vector<float> rounded(numbers.size());
    std::vector<uint8_t> bytes(numbers.size());
    RoundToGrid(grid, count, numbers.data(), rounded.data());
    if (HoldsBytes(grid)) RoundToBytes(grid, count, numbers.data(), bytes.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      SCOPED_TRACE(testing::Message() << numbers[i] << " scale " << grid.scale << " zero " << grid.zero_point
                                      << " seed " << seed);
      const double q = Nearest(grid, numbers[i]);
      const float expected = static_cast<float>(q - grid.zero_point) * grid.scale;
      ASSERT_EQ(BitsOf(rounded[i]), BitsOf(expected)) << rounded[i] << ", expected " << expected;
      if (HoldsBytes(grid)) {
        ASSERT_EQ(bytes[i], q);
      }
    }
  }
}

TEST(Quantize, AllBytesComeBack) {
  std::vector<uint8_t> all(256);
  for (std::size_t q = 0; q < all.size(); ++q) all[q] = static_cast<uint8_t>(q);
  for (const QuantizationGrid& grid : kGrids) {
    std::vector<float> numbers(all.size());
    NumbersOfBytes(grid, 256, all.data(), numbers.data());
    for (int32_t q = 0; q < 256; ++q) {
      ASSERT_EQ(BitsOf(numbers[q]), BitsOf(static_cast<float>(q - grid.zero_point) * grid.scale)) << q;
    }
    if (!HoldsBytes(grid)) continue;
    std::vector<uint8_t> back(all.size());
    RoundToBytes(grid, 256, numbers.data(), back.data());
    for (int32_t q = 0; q < 256; ++q) ASSERT_EQ(back[q], std::clamp(q, grid.least, grid.most));
  }
}

/// Checks every count around the vectors' widths, at shifted addresses, on several threads, and in place.
TEST(Quantize, WritesNothingElse) {
  constexpr QuantizationGrid kGrid{0.01F, 100, 0, 255};
  constexpr float kGuard = 77;
  constexpr uint8_t kGuardByte = 99;
  const std::vector<float> numbers = RandomVector<float>(200000, 9);
  std::vector<float> expected(numbers.size());
  std::vector<uint8_t> expected_bytes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double q = Nearest(kGrid, numbers[i]);
    expected[i] = static_cast<float>(q - kGrid.zero_point) * kGrid.scale;
    expected_bytes[i] = static_cast<uint8_t>(q);
  }
  std::vector<int64_t> counts{199000};
  for (int64_t count = 0; count <= 70; ++count) counts.push_back(count);
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const int64_t count : counts) {
      for (const int64_t shift : {0, 1, 3}) {
        SCOPED_TRACE(testing::Message() << count << " numbers from " << shift << " on, " << threads << " threads");
        std::vector<float> found(numbers.begin() + shift, numbers.begin() + shift + count);
        found.push_back(kGuard);
        RoundToGrid(kGrid, count, found.data(), found.data());
        std::vector<uint8_t> bytes(static_cast<std::size_t>(count + shift + 1), kGuardByte);
        RoundToBytes(kGrid, count, numbers.data() + shift, bytes.data() + shift);
        std::vector<float> back(static_cast<std::size_t>(count + 1), kGuard);
        NumbersOfBytes(kGrid, count, bytes.data() + shift, back.data());
        EXPECT_EQ(found.back(), kGuard);
        EXPECT_EQ(bytes.back(), kGuardByte);
        EXPECT_EQ(back.back(), kGuard);
        EXPECT_TRUE(std::equal(found.begin(), found.end() - 1, expected.begin() + shift));
        EXPECT_TRUE(std::equal(back.begin(), back.end() - 1, expected.begin() + shift));
        EXPECT_TRUE(std::equal(bytes.begin() + shift, bytes.end() - 1, expected_bytes.begin() + shift));
      }
    }
  }
}

TEST(Quantize, RowsAreRoundedEachForItself) {
  constexpr QuantizationGrid kGrid{0.01F, 100, 0, 255};
  constexpr uint8_t kGuardByte = 99;
  for (const int64_t count : {1, 3, 16, 21, 70}) {
    const int64_t rows = 5;
    const int64_t input_ld = count + 2;
    const int64_t output_ld = count + 3;
    const std::vector<float> numbers = RandomVector<float>(rows * input_ld, 11);
    std::vector<uint8_t> found(static_cast<std::size_t>(rows * output_ld), kGuardByte);
    std::vector<uint8_t> expected = found;
    for (int64_t r = 0; r < rows; ++r) {
      RoundToBytes(kGrid, count, numbers.data() + r * input_ld, expected.data() + r * output_ld);
    }
    RoundRowsToBytes(kGrid, rows, count, numbers.data(), input_ld, found.data(), output_ld);
    EXPECT_EQ(found, expected) << count;
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
