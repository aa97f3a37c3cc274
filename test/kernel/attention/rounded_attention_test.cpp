// SPDX-License-Identifier: MIT
// Attention whose factors are rounded to bfloat16.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/attention.hpp"
#include "kernel/product/weight_product.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr double kScale = 0.3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// One head of `length` queries and `columns` keys; keys lie in wider rows.
struct Problem {
  Problem(int64_t rows, int64_t keys, int64_t width, int64_t value_width)
      : length(rows),
        columns(keys),
        size(width),
        value_size(value_width),
        pitch(width + 3),
        seed(static_cast<uint32_t>(rows * 31 + keys * 7 + width)),
        q(RandomVector<float>(rows * width, seed)),
        k(RandomVector<float>(keys * pitch, seed + 1)),
        v(RandomVector<float>(keys * value_width, seed + 2)),
        mask(static_cast<std::size_t>(rows * keys)) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 1; j < keys; ++j) mask[i * keys + j] = (i * 3 + j) % 5 == 0 ? -kInfinity : 0.25F;
    }
  }

  std::vector<float> Run(RuntimeDataType factor_type) const {
    const auto type = RuntimeDataType::kTypeFloat32;
    AttentionOptions options;
    options.scale = kScale;
    options.threads = 3;
    options.factor_type = factor_type;
    std::vector<float> output(static_cast<std::size_t>(length * value_size));
    AttentionArrays arrays;
    arrays.query = {q.data(), TensorSpec(type, {1, length, size})};
    arrays.key = {k.data(), TensorSpec(type, {1, columns, size}, {0, pitch, 1})};
    arrays.value = {v.data(), TensorSpec(type, {1, columns, value_size})};
    arrays.mask = {mask.data(), TensorSpec(type, {1, length, columns})};
    arrays.output = {output.data(), TensorSpec(type, {1, length, value_size})};
    std::vector<std::byte> workspace(
        AttentionWorkspace(options, arrays.query.spec, arrays.key.spec, arrays.value.spec));
    Attention(options, arrays, workspace.data());
    return output;
  }

  int64_t length, columns, size, value_size, pitch;
  uint32_t seed;
  std::vector<float> q, k, v, mask;
};

double Rounded(float value) { return BFloat16(value); }

/// By the definition, in double, of rounded queries, keys and values; the weights are not rounded.
std::vector<double> Expected(const Problem& p) {
  std::vector<double> output;
  for (int64_t i = 0; i < p.length; ++i) {
    std::vector<double> weights(p.columns);
    double sum = 0;
    for (int64_t j = 0; j < p.columns; ++j) {
      double score = p.mask[i * p.columns + j];
      for (int64_t e = 0; e < p.size; ++e) {
        score += Rounded(p.q[i * p.size + e]) * Rounded(p.k[j * p.pitch + e] * static_cast<float>(kScale));
      }
      sum += weights[j] = std::exp(score);
    }
    for (int64_t d = 0; d < p.value_size; ++d) {
      double total = 0;
      for (int64_t j = 0; j < p.columns; ++j) total += weights[j] / sum * Rounded(p.v[j * p.value_size + d]);
      output.push_back(total);
    }
  }
  return output;
}

class RoundedAttention : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasWeightProduct()) GTEST_SKIP() << "keys and values are not packed on this CPU, or with this KUIPER_ISA";
  }
};

TEST_F(RoundedAttention, EqualsTheDefinitionOfRoundedFactors) {
  using Sizes = std::array<int64_t, 4>;
  for (const auto& [length, columns, size, value_size] :
       {Sizes{1, 1, 1, 1}, Sizes{5, 16, 64, 64}, Sizes{7, 65, 33, 17}, Sizes{130, 197, 64, 64}, Sizes{49, 49, 32, 32},
        Sizes{3, 300, 80, 129}, Sizes{200, 1000, 16, 24}}) {
    const Problem p(length, columns, size, value_size);
    const std::vector<float> found = p.Run(RuntimeDataType::kTypeBFloat16);
    const std::vector<double> expected = Expected(p);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_NE(found, p.Run(RuntimeDataType::kTypeFloat32));
    // Each weight is off by 2^-9 of it at most, they add up to 1, and values are below 1.
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 2.1e-3) << i << " seed " << p.seed;
  }
}

TEST_F(RoundedAttention, NaNAndInfinityPassAsInFloat32) {
  Problem p(40, 50, 32, 24);
  p.q[3] = std::nanf("");                                // row 0
  p.q[5 * 32 + 7] = kInfinity;                           // row 5
  p.v[10 * 24 + 2] = kInfinity;                          // column 2 of all rows that attend to value 10
  p.v[11 * 24 + 4] = std::nanf("");                      // column 4
  std::fill_n(p.mask.begin() + 7 * 50, 50, -kInfinity);  // row 7 has nothing left
  const std::vector<float> expected = p.Run(RuntimeDataType::kTypeFloat32);
  const std::vector<float> found = p.Run(RuntimeDataType::kTypeBFloat16);
  int64_t finite = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << i;
    ASSERT_EQ(std::isinf(found[i]), std::isinf(expected[i])) << i;
    finite += std::isfinite(expected[i]) ? 1 : 0;
  }
  EXPECT_GT(finite, 0);
  EXPECT_LT(finite, static_cast<int64_t>(expected.size()));
}

}  // namespace
}  // namespace kuiper_infer::kernel
