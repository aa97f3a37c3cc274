// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/normalization/line_normalization.hpp"
#include "kernel/normalization/row_normalization.hpp"
#include "kernel/normalization/scale_shift.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The kernel computes in double. Only the result, and its product and sum with weight and bias, are rounded to float.
constexpr double kTolerance = 1e-6;

struct RowProblem {
  NormalizationKind kind;
  NormalizationGeometry geometry;
};

std::vector<RowProblem> RowProblems() {
  std::vector<RowProblem> problems;
  for (const auto kind : {NormalizationKind::kVariance, NormalizationKind::kRootMeanSquare}) {
    for (const int64_t channels : {1, 2, 7, 8, 9, 33, 768}) problems.push_back({kind, {3, 1, channels, 1}});
    for (const int64_t groups : {1, 2, 3}) {
      for (const int64_t channels : {1, 2, 5}) {
        for (const int64_t inner : {2, 9, 49}) problems.push_back({kind, {2 * groups, groups, channels, inner}});
      }
    }
    problems.push_back({kind, {0, 1, 4, 1}});
    problems.push_back({kind, {2, 1, 4, 0}});
  }
  return problems;
}

class NormalizeRowsTest : public testing::TestWithParam<RowProblem> {};

template <class T>
void CheckRows(const RowProblem& problem, bool affine, double offset, double tolerance) {
  const NormalizationGeometry& g = problem.geometry;
  const int64_t extent = g.channels * g.inner;
  std::vector<T> input = RandomVector<T>(g.rows * extent, 3);
  for (T& value : input) value += static_cast<T>(offset);
  const std::vector<T> weight = RandomVector<T>(g.groups * g.channels, 4);
  const std::vector<T> bias = RandomVector<T>(g.groups * g.channels, 5);
  constexpr double kEps = 1e-3;
  std::vector<T> output(input.size());
  NormalizeRows(problem.kind, g, kEps, input.data(), affine ? weight.data() : nullptr, affine ? bias.data() : nullptr,
                output.data());
  for (int64_t row = 0; row < g.rows; ++row) {
    const T* x = input.data() + row * extent;
    double mean = 0;
    for (int64_t i = 0; i < extent; ++i) mean += static_cast<double>(x[i]) / static_cast<double>(extent);
    if (problem.kind == NormalizationKind::kRootMeanSquare) mean = 0;
    double squares = 0;
    for (int64_t i = 0; i < extent; ++i) squares += (x[i] - mean) * (x[i] - mean) / static_cast<double>(extent);
    for (int64_t i = 0; i < extent; ++i) {
      const int64_t c = row % g.groups * g.channels + i / g.inner;
      double expected = (x[i] - mean) / std::sqrt(squares + kEps);
      if (affine) expected = expected * weight[c] + bias[c];
      ASSERT_NEAR(output[row * extent + i], expected, tolerance * std::max(1.0, std::abs(expected)));
    }
  }
  NormalizeRows(problem.kind, g, kEps, input.data(), affine ? weight.data() : nullptr, affine ? bias.data() : nullptr,
                input.data());
  EXPECT_EQ(input, output) << "in place";
}

TEST_P(NormalizeRowsTest, EqualsTheDefinition) {
  CheckRows<float>(GetParam(), false, 0, kTolerance);
  CheckRows<float>(GetParam(), true, 0, kTolerance);
  CheckRows<double>(GetParam(), true, 0, 1e-13);
}

/// Results that are rounded on the way equal results that are rounded afterwards.
TEST_P(NormalizeRowsTest, WritesBFloat16) {
  if (UsedIsa() < Isa::kAvx512) GTEST_SKIP() << "kernels for bfloat16 arrays are made for AVX-512";
  const NormalizationGeometry& g = GetParam().geometry;
  if (g.inner != 1) return;  // only these rows can be written rounded
  constexpr double kEps = 1e-3;
  const auto input = RandomVector<float>(g.rows * g.channels, 6);
  const auto weight = RandomVector<float>(g.groups * g.channels, 7);
  const auto bias = RandomVector<float>(g.groups * g.channels, 8);
  std::vector<float> floats(input.size());
  NormalizeRows(GetParam().kind, g, kEps, input.data(), weight.data(), bias.data(), floats.data());
  std::vector<uint16_t> found(input.size() + 1, 7);
  NormalizeRowsToBFloat16(GetParam().kind, g, kEps, input.data(), weight.data(), bias.data(), found.data());
  for (std::size_t i = 0; i < floats.size(); ++i) ASSERT_EQ(found[i], BFloat16(floats[i]).bits) << i;
  EXPECT_EQ(found.back(), 7);
}

TEST_P(NormalizeRowsTest, KeepsItsPrecisionFarFromZero) { CheckRows<float>(GetParam(), true, 500, kTolerance); }

INSTANTIATE_TEST_SUITE_P(Geometries, NormalizeRowsTest, testing::ValuesIn(RowProblems()), [](const auto& info) {
  const NormalizationGeometry& g = info.param.geometry;
  return std::string(info.param.kind == NormalizationKind::kVariance ? "Variance_" : "Rms_") + std::to_string(g.rows) +
         "x" + std::to_string(g.groups) + "x" + std::to_string(g.channels) + "x" + std::to_string(g.inner);
});

std::vector<AxisGeometry> Geometries() {
  std::vector<AxisGeometry> geometries{{0, 3, 2}, {2, 0, 2}, {2, 3, 0}};
  for (const int64_t extent : {1, 2, 3, 8, 17}) {
    for (const int64_t inner : {1, 7, 64, 65, 130}) geometries.push_back({2, extent, inner});
  }
  return geometries;
}

class LineTest : public testing::TestWithParam<AxisGeometry> {};

TEST_P(LineTest, ScaleShiftEqualsBatchNormalization) {
  const AxisGeometry g = GetParam();
  const std::vector<float> input = RandomVector<float>(g.size(), 1);
  const std::vector<float> mean = RandomVector<float>(g.extent, 2);
  std::vector<float> variance = RandomVector<float>(g.extent, 3);
  for (float& value : variance) value = value * value + 0.1F;
  const std::vector<float> weight = RandomVector<float>(g.extent, 4);
  const std::vector<float> bias = RandomVector<float>(g.extent, 5);
  std::vector<float> scale(static_cast<std::size_t>(g.extent));
  std::vector<float> shift(scale.size());
  std::vector<float> output(input.size());
  for (const bool affine : {false, true}) {
    FoldStatistics(g.extent, 1e-5, mean.data(), variance.data(), affine ? weight.data() : nullptr,
                   affine ? bias.data() : nullptr, scale.data(), shift.data());
    ScaleShift(g, input.data(), scale.data(), shift.data(), output.data());
    for (int64_t i = 0; i < g.size(); ++i) {
      const int64_t c = i / g.inner % g.extent;
      double expected = (static_cast<double>(input[i]) - mean[c]) / std::sqrt(static_cast<double>(variance[c]) + 1e-5);
      if (affine) expected = expected * weight[c] + bias[c];
      ASSERT_NEAR(output[i], expected, 2e-6);
    }
  }
}

TEST_P(LineTest, LocalResponseEqualsTheDefinition) {
  const AxisGeometry g = GetParam();
  const std::vector<float> input = RandomVector<float>(g.size(), 1);
  std::vector<float> output(input.size());
  for (const int64_t size : {1, 2, 4, 5, 40}) {
    const LocalResponse parameters{size, 0.3, 0.75, 2};
    LocalResponseNormalize(parameters, g, input.data(), output.data());
    for (int64_t i = 0; i < g.size(); ++i) {
      const int64_t c = i / g.inner % g.extent;
      double sum = 0;
      for (int64_t k = c - size / 2; k <= c + (size - 1) / 2; ++k) {
        if (k < 0 || k >= g.extent) continue;
        const double x = input[i + (k - c) * g.inner];
        sum += x * x;
      }
      const double expected = input[i] / std::pow(2 + 0.3 * sum / static_cast<double>(size), 0.75);
      ASSERT_NEAR(output[i], expected, 1e-7);
    }
  }
}

TEST_P(LineTest, NormalizeLinesDividesByTheNorm) {
  const AxisGeometry g = GetParam();
  const std::vector<float> input = RandomVector<float>(g.size(), 1);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double p : {2.0, 1.0, 0.0, 3.0, 0.5, infinity, -infinity}) {
    std::vector<float> output(input.size());
    NormalizeLines(p, 0.3, g, input.data(), output.data());
    for (int64_t i = 0; i < g.size(); ++i) {
      const int64_t start = i / (g.extent * g.inner) * g.extent * g.inner + i % g.inner;
      std::vector<double> line;
      for (int64_t k = 0; k < g.extent; ++k) line.push_back(std::abs(static_cast<double>(input[start + k * g.inner])));
      double norm = 0;
      if (std::isinf(p)) {
        norm = p > 0 ? *std::max_element(line.begin(), line.end()) : *std::min_element(line.begin(), line.end());
      } else {
        for (const double x : line) norm += p == 0 ? (x != 0 ? 1 : 0) : std::pow(x, p);
        if (p != 0) norm = std::pow(norm, 1 / p);
      }
      const double expected = input[i] / std::max(norm, 0.3);
      ASSERT_NEAR(output[i], expected, kTolerance * std::max(1.0, std::abs(expected))) << "p " << p;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, LineTest, testing::ValuesIn(Geometries()), [](const auto& info) {
  return std::to_string(info.param.outer) + "x" + std::to_string(info.param.extent) + "x" +
         std::to_string(info.param.inner);
});

}  // namespace
}  // namespace kuiper_infer::kernel
