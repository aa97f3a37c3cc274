// SPDX-License-Identifier: MIT
#include "kernel/product/format/weight_format.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/random_data.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {
namespace {

TEST(WeightFormat, NamesAndAttributesAreTheirOwn) {
  std::set<std::string> names;
  for (const WeightFormat* format : StoredFormats()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_FALSE(format->parameters.empty()) << format->name;
    EXPECT_TRUE(format->bits == 8 || format->bits == 4) << format->name;
  }
}

TEST(WeightFormat, EveryByteIsANumberOfEightBits) {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  std::vector<float> integers(256);
  kInt8Format.decode(bytes.data(), 256, integers.data());
  for (int i = 0; i < 256; ++i) EXPECT_EQ(integers[i], i < 128 ? i : i - 256);
}

TEST(WeightFormat, EveryByteIsTwoNumbersOfFourBits) {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  std::vector<float> integers(512);
  kInt4Format.decode(bytes.data(), 512, integers.data());
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(integers[2 * i], i % 16 - 8);
    EXPECT_EQ(integers[2 * i + 1], i / 16 - 8);
  }
}

TEST(WeightFormat, EncodingGivesTheBytesBack) {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  for (const WeightFormat* format : StoredFormats()) {
    const int64_t count = 256 * format->NumbersPerByte();
    EXPECT_EQ(format->StoredBytes(count), 256);
    std::vector<float> integers(static_cast<std::size_t>(count));
    format->decode(bytes.data(), count, integers.data());
    std::vector<uint8_t> back(256, 7);
    format->encode(integers.data(), count, back.data());
    EXPECT_EQ(back, bytes) << format->name;
  }
}

TEST(WeightFormat, EachGroupHasItsScale) {
  const std::vector<float> scales{2, 10};
  std::vector<float> numbers(6, 3);
  kInt4Format.ScaleRow(scales.data(), 2, 6, numbers.data());
  EXPECT_THAT(numbers, testing::ElementsAre(6, 6, 6, 30, 30, 30));
}

/// Rounded integers can be stored, and lie within half a step of the numbers.
TEST(WeightFormat, RoundsToWhatItStores) {
  constexpr uint32_t kSeed = 1908;
  for (const WeightFormat* format : StoredFormats()) {
    for (const int64_t count : {2, 32, 64}) {
      for (const float offset : {0.0F, 3.0F, -0.4F}) {
        std::vector<float> values = RandomVector<float>(count, kSeed);
        for (float& value : values) value += offset;
        std::vector<float> integers(values.size());
        std::vector<float> parameters(format->parameters.size());
        format->round(values.data(), count, integers.data(), parameters.data());
        std::vector<uint8_t> stored(static_cast<std::size_t>(format->StoredBytes(count)));
        format->encode(integers.data(), count, stored.data());
        std::vector<float> numbers(values.size());
        format->decode(stored.data(), count, numbers.data());
        EXPECT_EQ(numbers, integers) << format->name;
        format->scale(parameters.data(), count, numbers.data());
        // Formats of four bits clip the largest numbers if this reduces the error of the other numbers.
        const float step = parameters.front() * (format->bits == 8 ? 0.501F : 3.01F);
        for (int64_t i = 0; i < count; ++i) {
          EXPECT_NEAR(numbers[i], values[i], step) << format->name << " of " << count << ", seed " << kSeed;
        }
      }
    }
  }
}

TEST(WeightFormat, ParametersOfGroupsAreHalves) {
  constexpr uint32_t kSeed = 2611;
  for (const WeightFormat* format : StoredFormats()) {
    if (!format->by_group) continue;
    std::vector<float> values = RandomVector<float>(32, kSeed);
    std::vector<float> integers(values.size());
    std::vector<float> parameters(format->parameters.size());
    format->round(values.data(), 32, integers.data(), parameters.data());
    for (const float parameter : parameters) EXPECT_EQ(parameter, float{Float16(parameter)}) << format->name;
  }
}

/// Half precision would keep three bits of this scale.
TEST(WeightFormat, ScalesThatAreNoNormalHalvesStayExact) {
  for (const WeightFormat* format : {&kInt4Format, &kInt8GroupFormat}) {
    const float largest = 3e-7F * (format == &kInt4Format ? 7 : 127);
    const std::vector<float> values{largest, -largest};
    std::vector<float> integers(2);
    float scale = 0;
    format->round(values.data(), 2, integers.data(), &scale);
    EXPECT_NEAR(integers[0] * scale, largest, largest * 1e-6F) << format->name;
  }
}

TEST(WeightFormat, ZerosAndTinyNumbersHavePositiveScales) {
  for (const WeightFormat* format : StoredFormats()) {
    for (const std::vector<float>& values : {std::vector<float>{0, 0}, {1e-44F, -1e-44F}}) {
      std::vector<float> integers(2);
      std::vector<float> parameters(format->parameters.size());
      format->round(values.data(), 2, integers.data(), parameters.data());
      EXPECT_GT(parameters.front(), 0.0F) << format->name;
      format->scale(parameters.data(), 2, integers.data());
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(integers[i], values[i], 1e-6F) << format->name;
    }
  }
}

double ErrorOfFourBits(const std::vector<float>& values, double scale) {
  double sum = 0;
  for (const float value : values) {
    const double q = std::clamp(std::nearbyint(static_cast<double>(value) / scale), -8.0, 7.0);
    sum += std::pow(static_cast<double>(value) - q * scale, 2);
  }
  return sum;
}

TEST(WeightFormat, FourBitsHaveNearlyTheLeastSquaredError) {
  constexpr uint32_t kSeed = 1909;
  for (const std::size_t width : {32U, 64U, 128U}) {
    const std::vector<float> values = RandomVector<float>(static_cast<int64_t>(width), kSeed);
    std::vector<float> integers(width);
    float scale = 0;
    kInt4Format.round(values.data(), static_cast<int64_t>(width), integers.data(), &scale);
    double most = 0;
    for (const float value : values) most = std::max<double>(most, std::abs(value));
    double best = ErrorOfFourBits(values, most / 7);
    for (double steps = 6; steps < 12; steps += 0.01) best = std::min(best, ErrorOfFourBits(values, most / steps));
    EXPECT_LE(ErrorOfFourBits(values, static_cast<double>(scale)), 1.1 * best) << "seed " << kSeed << " " << width;
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
