// SPDX-License-Identifier: MIT
#include "kernel/normalization/softmax.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

struct SoftmaxProblem {
  SoftmaxKind kind;
  AxisGeometry geometry;
};

std::vector<SoftmaxProblem> Problems() {
  std::vector<SoftmaxProblem> problems;
  for (const auto kind : {SoftmaxKind::kSoftmax, SoftmaxKind::kLogSoftmax, SoftmaxKind::kSoftmin}) {
    for (const int64_t extent : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 1000}) {
      for (const int64_t inner : {1, 3, 17, 65}) problems.push_back({kind, {extent < 100 ? 3 : 1, extent, inner}});
    }
    problems.push_back({kind, {0, 4, 2}});
    problems.push_back({kind, {2, 0, 3}});
    problems.push_back({kind, {2, 3, 0}});
  }
  return problems;
}

std::string Text(const SoftmaxProblem& problem) {
  const auto& [outer, extent, inner] = problem.geometry;
  return "Kind" + std::to_string(static_cast<int>(problem.kind)) + "_" + std::to_string(outer) + "x" +
         std::to_string(extent) + "x" + std::to_string(inner);
}

/// Computes by the definition in long double. Inputs are small, so nothing overflows.
template <class T>
std::vector<double> Reference(const SoftmaxProblem& problem, const std::vector<T>& input) {
  const auto& [outer, extent, inner] = problem.geometry;
  std::vector<double> output(input.size());
  for (int64_t line = 0; line < outer * inner; ++line) {
    const int64_t start = line / inner * extent * inner + line % inner;
    const auto power = [&, step = inner](int64_t k) {
      const auto x = static_cast<long double>(input[start + k * step]);
      return std::exp(problem.kind == SoftmaxKind::kSoftmin ? -x : x);
    };
    long double sum = 0;
    for (int64_t k = 0; k < extent; ++k) sum += power(k);
    for (int64_t k = 0; k < extent; ++k) {
      const long double share = power(k) / sum;
      output[start + k * inner] =
          static_cast<double>(problem.kind == SoftmaxKind::kLogSoftmax ? std::log(share) : share);
    }
  }
  return output;
}

class SoftmaxTest : public testing::TestWithParam<SoftmaxProblem> {};

template <class T>
void Check(const SoftmaxProblem& problem, double tolerance) {
  std::vector<T> data = RandomVector<T>(problem.geometry.size(), 7);
  for (T& value : data) value *= T(10);
  const std::vector<double> expected = Reference(problem, data);
  std::vector<T> output(data.size());
  Softmax(problem.kind, problem.geometry, data.data(), output.data());
  for (std::size_t i = 0; i < output.size(); ++i) {
    ASSERT_NEAR(output[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])) + 1e-30) << "element " << i;
  }
  Softmax(problem.kind, problem.geometry, data.data(), data.data());
  EXPECT_EQ(data, output) << "in place";
}

TEST_P(SoftmaxTest, EqualsTheDefinition) {
  Check<float>(GetParam(), 5e-7);
  Check<double>(GetParam(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Geometries, SoftmaxTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

/// Runs a line as an innermost and as an outer axis.
std::vector<std::vector<float>> BothWays(SoftmaxKind kind, const std::vector<float>& line) {
  const auto extent = static_cast<int64_t>(line.size());
  std::vector<float> inner(line.size());
  Softmax(kind, {1, extent, 1}, line.data(), inner.data());
  std::vector<float> twice;
  for (const float value : line) twice.insert(twice.end(), 2, value);
  std::vector<float> outer(twice.size());
  Softmax(kind, {1, extent, 2}, twice.data(), outer.data());
  std::vector<float> first;
  for (std::size_t i = 0; i < line.size(); ++i) first.push_back(outer[2 * i]);
  return {inner, first};
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(SoftmaxTest, LargeInputsDoNotOverflow) {
  for (const auto& result : BothWays(SoftmaxKind::kSoftmax, {1e30F, 1e30F, -1e30F})) {
    EXPECT_EQ(result, (std::vector<float>{0.5F, 0.5F, 0.0F}));
  }
}

TEST(SoftmaxTest, MaskedElementsAreZero) {
  for (const auto& result : BothWays(SoftmaxKind::kSoftmax, {3, -kInfinity, 3})) {
    EXPECT_EQ(result, (std::vector<float>{0.5F, 0.0F, 0.5F}));
  }
  for (const auto& result : BothWays(SoftmaxKind::kLogSoftmax, {0, -kInfinity})) {
    EXPECT_EQ(result, (std::vector<float>{0.0F, -kInfinity}));
  }
}

TEST(SoftmaxTest, NothingButMaskOrNanGivesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& line : {std::vector<float>{-kInfinity, -kInfinity}, {1, nan}, {kInfinity, 1}}) {
    for (const auto& result : BothWays(SoftmaxKind::kSoftmax, line)) EXPECT_TRUE(std::isnan(result[0]));
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
