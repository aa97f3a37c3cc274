// SPDX-License-Identifier: MIT
#include "kernel/pooling/fractional_pooling.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct FractionalProblem {
  uint32_t seed = 0;
  int64_t axes = 2;
  int64_t planes = 1;
  WindowGrid grid;
  bool specials = false;  ///< some elements are infinite or NaN
};

std::string Text(const FractionalProblem& problem) {
  std::string text = "seed" + std::to_string(problem.seed) + "_p" + std::to_string(problem.planes);
  for (std::size_t axis = 3 - static_cast<std::size_t>(problem.axes); axis < 3; ++axis) {
    text += "_i" + std::to_string(problem.grid.image[axis]) + "k" + std::to_string(problem.grid.window[axis].kernel) +
            "o" + std::to_string(problem.grid.positions[axis]);
  }
  return text;
}

void PrintTo(const FractionalProblem& problem, std::ostream* stream) { *stream << Text(problem); }

std::vector<FractionalProblem> Problems() {
  constexpr int64_t kExtents[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33};
  std::vector<FractionalProblem> problems;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t least, int64_t most) {
      return std::uniform_int_distribution<int64_t>(least, most)(generator);
    };
    FractionalProblem problem;
    problem.seed = seed;
    problem.axes = draw(2, 3);
    problem.planes = draw(0, 15) == 0 ? 0 : draw(1, 6);
    problem.specials = draw(0, 2) == 0;
    for (std::size_t axis = 3 - static_cast<std::size_t>(problem.axes); axis < 3; ++axis) {
      const int64_t extent = kExtents[draw(0, problem.axes == 3 ? 7 : 11)];
      problem.grid.image[axis] = extent;
      problem.grid.window[axis].kernel = draw(1, std::min<int64_t>(extent, 5));
      problem.grid.positions[axis] = draw(1, extent - problem.grid.window[axis].kernel + 1);
    }
    problems.push_back(problem);
  }
  FractionalProblem large;  // work for several threads
  large.seed = 100;
  large.planes = 40;
  large.grid = {{1, 31, 33}, {Window{}, Window{3}, Window{2}}, {1, 20, 15}};
  problems.push_back(large);
  return problems;
}

/// Returns the starts of the windows along an axis by Graham's pseudo-random sequence: alpha = (extent - kernel) /
/// (positions - 1), start i = floor((i + sample) alpha) - floor(sample alpha), the last one extent - kernel. They are
/// computed in T, whose rounding decides whether a product is whole.
template <class T>
std::vector<int64_t> Starts(int64_t extent, int64_t kernel, int64_t positions, T sample) {
  std::vector<int64_t> starts;
  for (int64_t i = 0; i + 1 < positions; ++i) {
    const T alpha = static_cast<T>(extent - kernel) / static_cast<T>(positions - 1);
    starts.push_back(static_cast<int64_t>(std::floor((static_cast<T>(i) + sample) * alpha)) -
                     static_cast<int64_t>(std::floor(sample * alpha)));
  }
  starts.push_back(extent - kernel);
  return starts;
}

template <class T>
std::vector<T> Elements(const FractionalProblem& problem) {
  std::mt19937 generator(problem.seed);
  using Limits = std::numeric_limits<T>;
  std::vector<T> values(static_cast<std::size_t>(problem.planes * problem.grid.image_size()));
  for (T& value : values) {
    value = static_cast<T>(static_cast<int>(generator() % 41) - 20);
    const auto kind = problem.specials ? generator() % 60 : 9;
    if (kind == 0) value = Limits::infinity();
    if (kind == 1) value = Limits::quiet_NaN();
    if (kind > 50) value = -Limits::infinity();
  }
  return values;
}

template <class T>
std::vector<T> Samples(const FractionalProblem& problem) {
  std::mt19937 generator(problem.seed + 1);
  std::vector<T> samples(static_cast<std::size_t>(problem.planes * problem.axes));
  const T largest = std::nextafter(T(1), T(0));
  for (T& sample : samples) {
    const auto kind = generator() % 8;
    sample = kind == 0 ? T(0) : (kind == 1 ? largest : static_cast<T>(generator() % 1000) / 1000);
  }
  return samples;
}

/// Compares with the first largest element under each window, or its last NaN.
template <class T>
void Check(const FractionalProblem& problem) {
  const WindowGrid& grid = problem.grid;
  const std::vector<T> input = Elements<T>(problem);
  const std::vector<T> samples = Samples<T>(problem);
  GuardedArray<T> found(problem.planes * grid.position_count());
  GuardedArray<int64_t> indices(found.size());
  GuardedArray<T> found_alone(found.size());
  FractionalMaxPool(grid, problem.axes, problem.planes, input.data(), samples.data(), found.data(), indices.data());
  FractionalMaxPool<T>(grid, problem.axes, problem.planes, input.data(), samples.data(), found_alone.data(), nullptr);
  int64_t output = 0;
  for (int64_t plane = 0; plane < problem.planes; ++plane) {
    const T* own = samples.data() + plane * problem.axes;
    const T* image = input.data() + plane * grid.image_size();
    // PyTorch orders the samples as (width, height) in two dimensions, but as (depth, height, width) in three.
    const auto starts = [&](int axis, T sample) {
      return Starts(grid.image[axis], grid.window[axis].kernel, grid.positions[axis], sample);
    };
    const std::vector<int64_t> depths = starts(0, problem.axes == 3 ? own[0] : T(0));
    const std::vector<int64_t> heights = starts(1, own[1]);
    const std::vector<int64_t> widths = starts(2, problem.axes == 3 ? own[2] : own[0]);
    for (const int64_t depth : depths) {
      for (const int64_t height : heights) {
        for (const int64_t width : widths) {
          int64_t best = -1;
          for (int64_t i = 0; i < grid.image_size(); ++i) {
            const int64_t d = i / grid.image[2] / grid.image[1] - depth;
            const int64_t h = i / grid.image[2] % grid.image[1] - height;
            const int64_t w = i % grid.image[2] - width;
            const bool inside = d >= 0 && d < grid.window[0].kernel && h >= 0 && h < grid.window[1].kernel && w >= 0 &&
                                w < grid.window[2].kernel;
            if (inside && (best < 0 || image[i] != image[i] || image[i] > image[best])) best = i;
          }
          ASSERT_EQ(indices[output], best) << "output " << output;
          ASSERT_TRUE(SameNumber(found[output], image[best])) << "output " << output;
          ASSERT_TRUE(SameNumber(found_alone[output], image[best])) << "output " << output;
          ++output;
        }
      }
    }
  }
  EXPECT_TRUE(found.intact() && indices.intact() && found_alone.intact());
}

class FractionalPoolingTest : public testing::TestWithParam<FractionalProblem> {};

TEST_P(FractionalPoolingTest, EqualsPlainLoops) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    Check<float>(GetParam());
    Check<double>(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, FractionalPoolingTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

TEST(FractionalPoolingTest, SamplesOutsideOfTheirRangeLeaveWindowsOnTheImage) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const WindowGrid grid{{1, 6, 6}, {Window{}, Window{2}, Window{2}}, {1, 4, 4}};
  std::vector<float> image(36);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  for (const float sample : {-1.0F, 1.0F, 1e30F, -1e30F, nan, std::numeric_limits<float>::infinity()}) {
    const float samples[] = {sample, sample};
    GuardedArray<float> found(16);
    GuardedArray<int64_t> indices(16);
    FractionalMaxPool(grid, 2, 1, image.data(), samples, found.data(), indices.data());
    for (int64_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(indices[i] >= 0 && indices[i] < 36) << "sample " << sample;
      EXPECT_EQ(found[i], static_cast<float>(indices[i]));
    }
    EXPECT_TRUE(found.intact() && indices.intact());
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
