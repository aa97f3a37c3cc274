// SPDX-License-Identifier: MIT
#include "kernel/sampling/resize.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

using Extents3 = std::array<int64_t, 3>;

struct ResizeProblem {
  uint32_t seed;
  ResizeMode mode;
  bool align_corners;
  Extents3 from;
  Extents3 to;
  std::array<std::optional<double>, 3> scale;
};

const char* ModeName(ResizeMode mode) {
  switch (mode) {
    case ResizeMode::kNearest:
      return "Nearest";
    case ResizeMode::kNearestExact:
      return "NearestExact";
    case ResizeMode::kLinear:
      return "Linear";
    default:
      return "Cubic";
  }
}

std::string Text(const ResizeProblem& problem) {
  std::string text = ModeName(problem.mode) + ("_seed" + std::to_string(problem.seed));
  for (int axis = 0; axis < 3; ++axis) {
    text += "_" + std::to_string(problem.from[axis]) + "to" + std::to_string(problem.to[axis]);
  }
  return text + (problem.align_corners ? "_corners" : "") + (problem.scale[2] ? "_scaled" : "");
}

std::vector<ResizeProblem> Problems() {
  std::vector<ResizeProblem> problems;
  for (uint32_t seed = 0; seed < 160; ++seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(1, most)(generator); };
    ResizeProblem problem;
    problem.seed = seed;
    problem.mode = static_cast<ResizeMode>(seed % 4);
    problem.align_corners = draw(2) == 1;
    problem.from = {draw(3) == 1 ? draw(3) : 1, draw(17), draw(33)};
    problem.to = {problem.from[0] == 1 ? 1 : draw(5), draw(33), draw(40)};
    if (draw(3) == 1) {
      for (int axis = 1; axis < 3; ++axis) {
        problem.scale[axis] = 0.5 + 0.25 * static_cast<double>(draw(9));
        const double extent = std::floor(static_cast<double>(problem.from[axis]) * *problem.scale[axis]);
        problem.to[axis] = std::max<int64_t>(static_cast<int64_t>(extent), 1);
      }
    }
    problems.push_back(problem);
  }
  return problems;
}

/// Keys' kernel with a = -0.75, by its definition.
double Keys(double x) {
  const double a = -0.75;
  x = std::abs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0.0;
}

/// Returns the weight of element `i` (before it is clamped to the border) for output `o` along one axis.
double WeightOf(const ResizeProblem& problem, int axis, int64_t o, int64_t i) {
  const int64_t in = problem.from[axis];
  const int64_t out = problem.to[axis];
  const auto position = static_cast<double>(o);
  const double ratio = problem.scale[axis] ? 1.0 / *problem.scale[axis] : static_cast<double>(in) / out;
  if (problem.mode == ResizeMode::kNearest || problem.mode == ResizeMode::kNearestExact) {
    const float shift = problem.mode == ResizeMode::kNearest ? 0.0F : 0.5F;
    const float source = (static_cast<float>(o) + shift) * static_cast<float>(ratio);
    return i == std::min(static_cast<int64_t>(source), in - 1) ? 1.0 : 0.0;
  }
  double source = ratio * (position + 0.5) - 0.5;
  if (problem.align_corners) source = out > 1 ? position * static_cast<double>(in - 1) / (out - 1) : 0.0;
  if (problem.mode == ResizeMode::kCubic) return Keys(source - static_cast<double>(i));
  if (in == out) source = position;
  source = std::clamp(source, 0.0, static_cast<double>(in - 1));
  return std::max(0.0, 1.0 - std::abs(source - static_cast<double>(i)));
}

/// Sums over all elements, and over some beyond the borders, which repeat the border elements.
double Sample(const ResizeProblem& problem, const double* image, const Extents3& o) {
  constexpr int64_t kBeyond = 3;
  double sum = 0;
  const auto clamp = [&](int axis, int64_t i) { return std::clamp<int64_t>(i, 0, problem.from[axis] - 1); };
  for (int64_t d = -kBeyond; d < problem.from[0] + kBeyond; ++d) {
    const double deep = WeightOf(problem, 0, o[0], d);
    for (int64_t h = -kBeyond; deep != 0 && h < problem.from[1] + kBeyond; ++h) {
      const double high = WeightOf(problem, 1, o[1], h);
      for (int64_t w = -kBeyond; high != 0 && w < problem.from[2] + kBeyond; ++w) {
        const int64_t offset = (clamp(0, d) * problem.from[1] + clamp(1, h)) * problem.from[2] + clamp(2, w);
        sum += deep * high * WeightOf(problem, 2, o[2], w) * image[offset];
      }
    }
  }
  return sum;
}

template <class T>
std::array<ResizeAxis<T>, 3> Axes(const ResizeProblem& problem) {
  std::array<ResizeAxis<T>, 3> axes;
  for (int axis = 0; axis < 3; ++axis) {
    axes[axis] = MakeResizeAxis<T>(problem.mode, problem.from[axis], problem.to[axis], problem.scale[axis],
                                   problem.align_corners);
  }
  return axes;
}

class ResizeTest : public testing::TestWithParam<ResizeProblem> {};

template <class T>
void Check(const ResizeProblem& problem, double tolerance) {
  constexpr int64_t kPlanes = 3;
  const int64_t in = problem.from[0] * problem.from[1] * problem.from[2];
  const int64_t out = problem.to[0] * problem.to[1] * problem.to[2];
  const std::vector<T> input = RandomVector<T>(kPlanes * in, problem.seed);
  const std::vector<double> wide(input.begin(), input.end());
  const auto axes = Axes<T>(problem);
  for (const int64_t workers : {int64_t{1}, int64_t{5}}) {
    std::vector<T> workspace(static_cast<std::size_t>(workers * problem.from[2]));
    std::vector<T> output(static_cast<std::size_t>(kPlanes * out));
    Resize(axes, kPlanes, workers, input.data(), workspace.data(), output.data());
    for (int64_t i = 0; i < kPlanes * out; ++i) {
      const Extents3 o{i / problem.to[2] / problem.to[1] % problem.to[0], i / problem.to[2] % problem.to[1],
                       i % problem.to[2]};
      ASSERT_NEAR(output[i], Sample(problem, wide.data() + i / out * in, o), tolerance) << "output " << i;
    }
  }
}

/// Coordinates up to 33 are rounded to T, and neighbours differ by up to 2: 33 * 6e-8 * 2 an axis.
TEST_P(ResizeTest, EqualsTheDefinition) {
  SCOPED_TRACE(Text(GetParam()));
  Check<float>(GetParam(), 2e-5);
  Check<double>(GetParam(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Geometries, ResizeTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

TEST(ResizeTest, WorkersGrowWithTheWork) {
  const std::array<ResizeAxis<float>, 3> small{ResizeAxis<float>{},
                                               MakeResizeAxis<float>(ResizeMode::kLinear, 2, 4, std::nullopt, false),
                                               MakeResizeAxis<float>(ResizeMode::kLinear, 2, 4, std::nullopt, false)};
  EXPECT_EQ(ResizeWorkers(small, 1, 8), 1);
  const std::array<ResizeAxis<float>, 3> large{
      ResizeAxis<float>{}, MakeResizeAxis<float>(ResizeMode::kLinear, 256, 512, std::nullopt, false),
      MakeResizeAxis<float>(ResizeMode::kLinear, 256, 512, std::nullopt, false)};
  EXPECT_EQ(ResizeWorkers(large, 64, 8), 8);
}

TEST(ResizeTest, AntialiasedWeightsSumToOne) {
  for (const ResizeMode mode : {ResizeMode::kLinearAntialias, ResizeMode::kCubicAntialias}) {
    for (const auto& [in, out] : {std::pair<int64_t, int64_t>{33, 7}, {7, 33}, {16, 16}, {5, 1}, {1, 5}}) {
      const ResizeAxis<double> axis = MakeResizeAxis<double>(mode, in, out, std::nullopt, false);
      for (int64_t o = 0; o < out; ++o) {
        double sum = 0;
        for (int64_t t = 0; t < axis.taps; ++t) {
          sum += axis.weight[o * axis.taps + t];
          ASSERT_GE(axis.index[o * axis.taps + t], 0);
          ASSERT_LT(axis.index[o * axis.taps + t], in);
        }
        ASSERT_NEAR(sum, 1.0, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
