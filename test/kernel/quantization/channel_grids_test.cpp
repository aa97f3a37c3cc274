// SPDX-License-Identifier: MIT
// Conversions between numbers and integers whose parameters differ by channel, compared with the definition.
#include "kernel/quantization/channel_grids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/quantization/choose_grid.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Problem {
  AxisGeometry geometry;
  std::vector<float> scales;
  std::vector<int32_t> zeros;
  std::vector<float> numbers;

  ChannelGrids Grids(int32_t least, int32_t most) const { return {geometry, scales.data(), zeros.data(), least, most}; }
  std::size_t Channel(std::size_t i) const {
    return i / static_cast<std::size_t>(geometry.inner) % static_cast<std::size_t>(geometry.extent);
  }
};

Problem Draw(AxisGeometry geometry, std::mt19937& generator) {
  Problem problem{geometry, {}, {}, {}};
  std::uniform_real_distribution<float> scale(0.01F, 0.5F);
  std::uniform_int_distribution<int32_t> zero(-20, 20);
  std::normal_distribution<float> number(0, 20);
  for (int64_t c = 0; c < geometry.extent; ++c) {
    problem.scales.push_back(scale(generator));
    problem.zeros.push_back(zero(generator));
  }
  for (int64_t i = 0; i < geometry.size(); ++i) problem.numbers.push_back(number(generator));
  return problem;
}

TEST(ChannelGridsTest, EqualTheDefinition) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 generator(seed);
  for (const AxisGeometry geometry : {AxisGeometry{1, 1, 37}, AxisGeometry{3, 5, 7}, AxisGeometry{4, 9, 1}}) {
    const Problem problem = Draw(geometry, generator);
    const std::size_t count = problem.numbers.size();
    std::vector<int8_t> integers(count);
    std::vector<float> back(count);
    std::vector<float> rounded(count);
    const auto inside = std::make_unique<bool[]>(count);
    const ChannelGrids grids = problem.Grids(-100, 90);
    QuantizeChannels(grids, problem.numbers.data(), integers.data());
    DequantizeChannels(grids, integers.data(), back.data());
    RoundChannels(grids, problem.numbers.data(), rounded.data());
    InsideChannels(grids, problem.numbers.data(), inside.get());
    for (std::size_t i = 0; i < count; ++i) {
      const float scale = problem.scales[problem.Channel(i)];
      const int32_t zero = problem.zeros[problem.Channel(i)];
      const float place = std::nearbyint(problem.numbers[i] * (1 / scale)) + static_cast<float>(zero);
      const float q = std::min(std::max(place, -100.0F), 90.0F);
      EXPECT_EQ(integers[i], q) << i;
      EXPECT_EQ(back[i], (q - static_cast<float>(zero)) * scale) << i;
      EXPECT_EQ(rounded[i], back[i]) << i;
      EXPECT_EQ(inside[i], place >= -100 && place <= 90) << i;
    }
  }
}

TEST(ChannelGridsTest, NaNAndInfinitiesBecomeBounds) {
  const std::vector<float> numbers = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                      -std::numeric_limits<float>::infinity()};
  const float scale = 0.5F;
  std::vector<int32_t> integers(3);
  const int32_t most = std::numeric_limits<int32_t>::max();
  QuantizeChannels<int32_t>({{1, 1, 3}, &scale, nullptr, -5, most}, numbers.data(), integers.data());
  EXPECT_EQ(integers, (std::vector<int32_t>{-5, most, -5}));
}

TEST(ChooseGridTest, CoversTheRangeAndHoldsZero) {
  for (const auto& [low, high] : {std::pair(-1.5, 4.0), std::pair(0.5, 6.0), std::pair(-3.0, -1.0)}) {
    const QuantizationGrid grid = ChooseGrid(low, high, -128, 127, false);
    const auto number = [&](int32_t q) { return static_cast<double>(q - grid.zero_point) * grid.scale; };
    EXPECT_GE(grid.zero_point, -128);
    EXPECT_LE(grid.zero_point, 127);
    EXPECT_NEAR(number(-128), std::min(low, 0.0), grid.scale);
    EXPECT_NEAR(number(127), std::max(high, 0.0), grid.scale);
  }
  EXPECT_EQ(ChooseGrid(-1, 3, -128, 127, true).zero_point, 0);
  EXPECT_EQ(ChooseGrid(0, 0, 0, 255, false).scale, 0.1F);
}

}  // namespace
}  // namespace kuiper_infer::kernel
