// SPDX-License-Identifier: MIT
// Attention whose two products are computed in integers of 8 bits.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/one_head.hpp"
#include "kernel/product/int8/kernel.hpp"

namespace kuiper_infer::kernel {
namespace {

AttentionOptions Integers(int threads = 3) {
  AttentionOptions options;
  options.threads = threads;
  options.product = &Int8KernelOf(UsedInt8Unit());
  return options;
}

/// Returns `count` numbers, `stride` apart, rounded to integers times their scale.
std::vector<double> Rounded(const float* numbers, int64_t count, int64_t stride) {
  float most = 0;
  for (int64_t i = 0; i < count; ++i) most = std::max(most, std::abs(numbers[i * stride]));
  std::vector<double> rounded;
  for (int64_t i = 0; i < count; ++i) {
    const float steps = most > 0 ? std::nearbyint(numbers[i * stride] * (127 / most)) : 0;
    rounded.push_back(static_cast<double>(steps) * static_cast<double>(most / 127));
  }
  return rounded;
}

/// Computes attention of rounded factors by its definition, in double. `steps` gets the scale of each row's numbers.
std::vector<double> Expected(const OneHead& p, std::vector<double>& steps) {
  std::vector<std::vector<double>> keys;
  std::vector<std::vector<double>> values;
  for (int64_t j = 0; j < p.columns; ++j) keys.push_back(Rounded(p.k.data() + j * p.pitch, p.size, 1));
  for (int64_t d = 0; d < p.value_size; ++d) values.push_back(Rounded(p.v.data() + d, p.columns, p.value_size));
  std::vector<double> output;
  for (int64_t i = 0; i < p.length; ++i) {
    const std::vector<double> query = Rounded(p.q.data() + i * p.size, p.size, 1);
    std::vector<double> scores;
    for (int64_t j = 0; j < p.columns; ++j) {
      double score = 0;
      for (int64_t e = 0; e < p.size; ++e) score += query[e] * keys[j][e];
      scores.push_back(score * kScale + p.mask[i * p.columns + j]);
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) sum += score = std::nearbyint(255 * std::exp(score - largest));
    steps.push_back(1 / sum);
    for (int64_t d = 0; d < p.value_size; ++d) {
      double total = 0;
      for (int64_t j = 0; j < p.columns; ++j) total += scores[j] * values[d][j];
      output.push_back(total / sum);
    }
  }
  return output;
}

TEST(Int8Heads, EqualTheDefinitionOfRoundedFactors) {
  using Sizes = std::array<int64_t, 4>;
  for (const auto& [length, columns, size, value_size] :
       {Sizes{1, 1, 1, 1}, Sizes{2, 3, 2, 5}, Sizes{5, 16, 64, 64}, Sizes{7, 65, 33, 17}, Sizes{130, 197, 64, 64},
        Sizes{49, 49, 32, 32}, Sizes{3, 300, 80, 129}, Sizes{200, 1000, 16, 24}, Sizes{9, 70, 300, 8}}) {
    const OneHead p(length, columns, size, value_size);
    const std::vector<float> found = p.Run(Integers());
    std::vector<double> steps;
    const std::vector<double> expected = Expected(p, steps);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      // Values are below 1. A weight half-way between two steps may be rounded either way.
      const double allowed = 1e-5 + 1.01 * steps[i / static_cast<std::size_t>(value_size)];
      ASSERT_NEAR(found[i], expected[i], allowed) << i << " of " << length << "x" << columns << " seed " << p.seed;
    }
  }
}

TEST(Int8Heads, AreNearFloats) {
  const OneHead p(130, 197, 64, 64);
  const std::vector<float> found = p.Run(Integers());
  const std::vector<float> expected = p.Run({});
  double noise = 0;
  double signal = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    noise += std::pow(static_cast<double>(found[i] - expected[i]), 2);
    signal += std::pow(static_cast<double>(expected[i]), 2);
  }
  EXPECT_GT(10 * std::log10(signal / noise), 35) << "seed " << p.seed;
}

TEST(Int8Heads, GiveTheSameBitsWithAnyNumberOfThreads) {
  const OneHead p(300, 197, 64, 64);
  const std::vector<float> expected = p.Run(Integers(1));
  for (const int threads : {2, 5}) EXPECT_EQ(p.Run(Integers(threads)), expected) << threads;
}

TEST(Int8Heads, RowsOfZerosAreNoScore) {
  OneHead p(6, 20, 32, 24);
  std::fill_n(p.q.begin() + 32, 32, 0.0F);            // query 1
  std::fill_n(p.q.begin() + 2 * 32, 32, 1e-35F);      // query 2 is too small for a scale
  std::fill_n(p.k.begin() + 3 * p.pitch, 32, -0.0F);  // key 3
  for (int64_t j = 0; j < 20; ++j) p.v[j * 24] = 0;   // column 0
  const std::vector<float> found = p.Run(Integers());
  const std::vector<float> expected = p.Run({});
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 0.02) << i;
  EXPECT_EQ(found[0], 0);
}

TEST(Int8Heads, NaNAndInfinityPassAsInFloat32) {
  const OneHead p = HeadWithNaNAndInfinity();
  CheckNotFinite(p.Run(Integers()), p.Run({}));
}

TEST(Int8Heads, AnInfiniteValueIsNaN) {
  OneHead p(5, 50, 32, 24);
  p.v[10 * 24 + 2] = kInfinity;
  const std::vector<float> found = p.Run(Integers());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(std::isnan(found[i]), i % 24 == 2) << i;
}

}  // namespace
}  // namespace kuiper_infer::kernel
