// SPDX-License-Identifier: MIT
#include "kernel/pooling/pooling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/pooling/adaptive_pooling.hpp"
#include "kernel/random_data.hpp"
#include "shape/window.hpp"

namespace kuiper_infer::kernel {
namespace {

struct PoolingProblem {
  uint32_t seed = 0;
  int64_t planes = 1;
  bool ceil_mode = false;
  WindowGrid grid;

  int64_t inputs() const { return planes * grid.image_size(); }
  int64_t outputs() const { return planes * grid.position_count(); }
};

std::string Text(const PoolingProblem& problem) {
  std::string text = "seed" + std::to_string(problem.seed) + "_p" + std::to_string(problem.planes);
  for (int axis = 0; axis < 3; ++axis) {
    const Window& window = problem.grid.window[axis];
    text += "_i" + std::to_string(problem.grid.image[axis]) + "k" + std::to_string(window.kernel) + "s" +
            std::to_string(window.stride) + "p" + std::to_string(window.padding_begin) + "d" +
            std::to_string(window.dilation);
  }
  return text + (problem.ceil_mode ? "_ceil" : "");
}

/// Returns a problem with extents around the widths of vectors.
PoolingProblem RandomProblem(uint32_t seed, bool dilated) {
  std::mt19937 generator(seed);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(generator);
  };
  constexpr std::array<int64_t, 11> kExtents{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33};
  const auto dimensions = static_cast<std::size_t>(draw(1, 3));
  Shape image;
  std::vector<Window> windows;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    Window window;
    window.kernel = draw(1, dimensions == 1 ? 9 : 5);
    window.stride = draw(1, 3);
    window.dilation = dilated ? draw(1, 3) : 1;
    window.padding_begin = window.padding_end = draw(0, window.kernel / 2);
    const int64_t covered = (window.kernel - 1) * window.dilation + 1;
    const int64_t least = covered - 2 * window.padding_begin;
    const int64_t extent = kExtents[static_cast<std::size_t>(draw(0, dimensions == 3 ? 5 : 10))];
    image.push_back(std::max({extent, least, int64_t{1}}));
    windows.push_back(window);
  }
  PoolingProblem problem;
  problem.seed = seed;
  problem.planes = draw(0, 20) == 0 ? 0 : draw(1, 5);
  problem.ceil_mode = draw(0, 1) == 1;
  problem.grid = MakeWindowGrid(image, windows, problem.ceil_mode);
  return problem;
}

std::vector<PoolingProblem> Problems(bool dilated) {
  std::vector<PoolingProblem> problems;
  for (uint32_t seed = 0; seed < 160; ++seed) problems.push_back(RandomProblem(seed, dilated));
  return problems;
}

/// Calls body(output index, element's value, its offset in the plane) for all elements under all windows.
template <class T, class Body>
void ForEachTap(const PoolingProblem& problem, const std::vector<T>& input, const Body& body) {
  const WindowGrid& grid = problem.grid;
  const auto at = [&](int axis, int64_t position, int64_t tap) {
    const Window& window = grid.window[axis];
    return position * window.stride - window.padding_begin + tap * window.dilation;
  };
  int64_t output = 0;
  for (int64_t plane = 0; plane < problem.planes; ++plane) {
    for (int64_t od = 0; od < grid.positions[0]; ++od) {
      for (int64_t oh = 0; oh < grid.positions[1]; ++oh) {
        for (int64_t ow = 0; ow < grid.positions[2]; ++ow, ++output) {
          for (int64_t kd = 0; kd < grid.window[0].kernel; ++kd) {
            for (int64_t kh = 0; kh < grid.window[1].kernel; ++kh) {
              for (int64_t kw = 0; kw < grid.window[2].kernel; ++kw) {
                const Extents3 i{at(0, od, kd), at(1, oh, kh), at(2, ow, kw)};
                bool inside = true;
                for (int axis = 0; axis < 3; ++axis) inside = inside && i[axis] >= 0 && i[axis] < grid.image[axis];
                if (!inside) continue;
                const int64_t offset = (i[0] * grid.image[1] + i[1]) * grid.image[2] + i[2];
                body(output, input[plane * grid.image_size() + offset], offset);
              }
            }
          }
        }
      }
    }
  }
}

class MaxPoolTest : public testing::TestWithParam<PoolingProblem> {};

template <class T>
void CheckMax(const PoolingProblem& problem) {
  const std::vector<T> input = RandomVector<T>(problem.inputs(), problem.seed);
  std::vector<T> expected(static_cast<std::size_t>(problem.outputs()), std::numeric_limits<T>::lowest());
  std::vector<int64_t> expected_indices(expected.size(), -1);
  ForEachTap(problem, input, [&](int64_t output, T value, int64_t offset) {
    if (expected_indices[output] >= 0 && value <= expected[output]) return;
    expected[output] = value;
    expected_indices[output] = offset;
  });
  std::vector<T> found(expected.size());
  MaxPool<T>(problem.grid, problem.planes, input.data(), found.data(), nullptr);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected_indices[i] >= 0) {
      ASSERT_EQ(found[i], expected[i]) << "output " << i;
    }
  }
  std::vector<int64_t> indices(expected.size());
  std::vector<T> with_indices(expected.size());
  MaxPool(problem.grid, problem.planes, input.data(), with_indices.data(), indices.data());
  EXPECT_EQ(with_indices, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected_indices[i] >= 0) {
      ASSERT_EQ(indices[i], expected_indices[i]) << "output " << i;
    }
  }
}

TEST_P(MaxPoolTest, EqualsPlainLoops) {
  SCOPED_TRACE(Text(GetParam()));
  CheckMax<float>(GetParam());
  CheckMax<double>(GetParam());
  CheckMax<int32_t>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Geometries, MaxPoolTest, testing::ValuesIn(Problems(true)),
                         [](const auto& info) { return Text(info.param); });

class AveragePoolTest : public testing::TestWithParam<PoolingProblem> {};

/// Returns the number of a window's elements along one axis that lie in the image or its padding.
int64_t PaddedCount(const WindowGrid& grid, int axis, int64_t position) {
  const Window& window = grid.window[axis];
  int64_t count = 0;
  for (int64_t tap = 0; tap < window.kernel; ++tap) {
    if (position * window.stride + tap < grid.image[axis] + 2 * window.padding_begin) ++count;
  }
  return count;
}

template <class T>
void CheckAverage(const PoolingProblem& problem, const AverageDivisor& divisor) {
  const WindowGrid& grid = problem.grid;
  const std::vector<T> input = RandomVector<T>(problem.inputs(), problem.seed);
  std::vector<double> sum(static_cast<std::size_t>(problem.outputs()), 0.0);
  std::vector<int64_t> count(sum.size(), 0);
  ForEachTap(problem, input, [&](int64_t output, T value, int64_t) {
    sum[output] += static_cast<double>(value);
    ++count[output];
  });
  std::vector<T> found(sum.size());
  AveragePool(grid, divisor, problem.planes, input.data(), found.data());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto position = static_cast<int64_t>(i) % grid.position_count();
    const int64_t padded = PaddedCount(grid, 0, position / grid.positions[2] / grid.positions[1]) *
                           PaddedCount(grid, 1, position / grid.positions[2] % grid.positions[1]) *
                           PaddedCount(grid, 2, position % grid.positions[2]);
    const int64_t by = divisor.fixed != 0 ? divisor.fixed : divisor.count_padding ? padded : count[i];
    ASSERT_NEAR(found[i], sum[i] / static_cast<double>(by), SumTolerance<T>(grid.taps())) << "output " << i;
  }
}

TEST_P(AveragePoolTest, EqualsPlainLoops) {
  SCOPED_TRACE(Text(GetParam()));
  CheckAverage<float>(GetParam(), {true, 0});
  CheckAverage<float>(GetParam(), {false, 0});
  CheckAverage<double>(GetParam(), {true, 7});
}

TEST_P(AveragePoolTest, LpPoolEqualsPlainLoops) {
  const PoolingProblem& problem = GetParam();
  SCOPED_TRACE(Text(problem));
  std::vector<double> input = RandomVector<double>(problem.inputs(), problem.seed);
  for (double& value : input) value = std::abs(value) + 0.1;
  std::vector<double> sum(static_cast<std::size_t>(problem.outputs()), 0.0);
  ForEachTap(problem, input, [&](int64_t output, double value, int64_t) { sum[output] += std::pow(value, 1.5); });
  std::vector<double> powers(input.size());
  std::vector<double> found(sum.size());
  LpPool(problem.grid, 1.5, problem.planes, input.data(), powers.data(), found.data());
  if (problem.ceil_mode) return;  // windows are cut short there; the operator's cases cover it
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], std::pow(sum[i], 1 / 1.5), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Geometries, AveragePoolTest, testing::ValuesIn(Problems(false)),
                         [](const auto& info) { return Text(info.param); });

TEST(MaxPoolTest, NanWinsAndTheLastOneIsNamed) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> input{1, nan, 5, nan, 2, 3};
  const WindowGrid grid = MakeWindowGrid({6}, {Window{3, 3, 0, 0, 1}});
  std::vector<float> output(2);
  std::vector<int64_t> indices(2);
  MaxPool<float>(grid, 1, input.data(), output.data(), nullptr);
  EXPECT_TRUE(std::isnan(output[0]) && std::isnan(output[1]));
  MaxPool(grid, 1, input.data(), output.data(), indices.data());
  EXPECT_TRUE(std::isnan(output[0]) && std::isnan(output[1]));
  EXPECT_EQ(indices, (std::vector<int64_t>{1, 3}));
}

TEST(MaxPoolTest, MinusInfinityIsAValue) {
  const float low = -std::numeric_limits<float>::infinity();
  const std::vector<float> input{low, low};
  std::vector<float> output(1);
  MaxPool<float>(MakeWindowGrid({2}, {Window{2, 2, 0, 0, 1}}), 1, input.data(), output.data(), nullptr);
  EXPECT_EQ(output[0], low);
}

TEST(AveragePoolTest, LongSumsKeepTheirPrecision) {
  const std::vector<float> input = RandomVector<float>(112 * 112, 1);
  double sum = 0;
  for (const float value : input) sum += static_cast<double>(value) + 1000.0;
  std::vector<float> shifted = input;
  for (float& value : shifted) value += 1000.0F;
  std::vector<float> output(1);
  AveragePool(MakeWindowGrid({112, 112}, {Window{112, 1, 0, 0, 1}, Window{112, 1, 0, 0, 1}}), {}, 1, shifted.data(),
              output.data());
  EXPECT_NEAR(output[0], sum / (112 * 112), 1e-4);
}

TEST(MaxPoolTest, RowsAndWindowsLongerThanABlock) {
  for (const Window& window : {Window{3, 2, 1, 1, 1}, Window{1500, 7, 700, 700, 1}, Window{4, 1, 0, 0, 700},
                               Window{3, 1, 1, 1, 1}, Window{2, 1100, 0, 0, 1}}) {
    PoolingProblem problem;
    problem.seed = 11;
    problem.grid = MakeWindowGrid({2, 3000}, {Window{2, 1, 1, 1, 1}, window});
    SCOPED_TRACE(Text(problem));
    CheckMax<float>(problem);
  }
}

struct AdaptiveProblem {
  uint32_t seed;
  Extents3 image;
  Extents3 positions;
};

std::vector<AdaptiveProblem> AdaptiveProblems() {
  std::vector<AdaptiveProblem> problems;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(1, most)(generator); };
    problems.push_back({seed, {draw(4), draw(17), draw(33)}, {draw(5), draw(19), draw(35)}});
  }
  for (uint32_t seed = 0; seed < 4; ++seed) problems.push_back({seed, {seed + 1, 7, 7}, {1, 1, 1}});
  return problems;
}

class AdaptivePoolTest : public testing::TestWithParam<AdaptiveProblem> {};

/// Returns whether output `o` of an axis covers element `i`: floor(o * in / out) <= i < ceil((o + 1) * in / out).
bool Covers(int64_t in, int64_t out, int64_t o, int64_t i) {
  return i >= o * in / out && static_cast<double>(i) < std::ceil(static_cast<double>((o + 1) * in) / out);
}

TEST_P(AdaptivePoolTest, EqualsPlainLoops) {
  const auto& [seed, image, positions] = GetParam();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr int64_t kPlanes = 2;
  const int64_t in = image[0] * image[1] * image[2];
  const int64_t out = positions[0] * positions[1] * positions[2];
  const std::vector<float> input = RandomVector<float>(kPlanes * in, seed);
  std::vector<float> mean(static_cast<std::size_t>(kPlanes * out));
  std::vector<float> largest(mean.size());
  std::vector<float> largest_alone(mean.size());
  std::vector<int64_t> indices(mean.size());
  AdaptiveAveragePool(image, positions, kPlanes, input.data(), mean.data());
  AdaptiveMaxPool(image, positions, kPlanes, input.data(), largest.data(), indices.data());
  AdaptiveMaxPool<float>(image, positions, kPlanes, input.data(), largest_alone.data(), nullptr);
  EXPECT_EQ(largest, largest_alone);
  for (int64_t o = 0; o < kPlanes * out; ++o) {
    double sum = 0;
    int64_t count = 0;
    int64_t best = -1;
    const float* plane = input.data() + o / out * in;
    for (int64_t i = 0; i < in; ++i) {
      const int64_t position = o % out;
      if (!Covers(image[0], positions[0], position / positions[2] / positions[1], i / image[2] / image[1]) ||
          !Covers(image[1], positions[1], position / positions[2] % positions[1], i / image[2] % image[1]) ||
          !Covers(image[2], positions[2], position % positions[2], i % image[2])) {
        continue;
      }
      sum += static_cast<double>(plane[i]);
      ++count;
      if (best < 0 || plane[i] > plane[best]) best = i;
    }
    ASSERT_NEAR(mean[o], sum / static_cast<double>(count), 1e-7);
    ASSERT_EQ(largest[o], plane[best]);
    ASSERT_EQ(indices[o], best);
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, AdaptivePoolTest, testing::ValuesIn(AdaptiveProblems()), [](const auto& info) {
  std::string text = "n" + std::to_string(info.index);
  for (int axis = 0; axis < 3; ++axis) {
    text += "_" + std::to_string(info.param.image[axis]) + "to" + std::to_string(info.param.positions[axis]);
  }
  return text;
});

}  // namespace
}  // namespace kuiper_infer::kernel
