// SPDX-License-Identifier: MIT
// Attention whose factors are rounded to bfloat16.
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/one_head.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {
namespace {

AttentionOptions Floats() {
  AttentionOptions options;
  options.product = &Float32Kernel(UsedIsa());
  return options;
}

AttentionOptions BFloat16Factors() {
  AttentionOptions options;
  options.threads = 3;
  options.product = &BFloat16KernelOf(UsedMatrixUnit(), 1);
  return options;
}

double Rounded(float value) { return BFloat16(value); }

/// Computes attention of rounded queries, keys and values by its definition, in double. The weights are not rounded.
std::vector<double> Expected(const OneHead& p) {
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
    if (!HasProductKernels(UsedUnits()))
      GTEST_SKIP() << "keys and values are not packed on this CPU, or with this KUIPER_ISA";
  }
};

TEST_F(RoundedAttention, EqualsTheDefinitionOfRoundedFactors) {
  using Sizes = std::array<int64_t, 4>;
  for (const auto& [length, columns, size, value_size] :
       {Sizes{1, 1, 1, 1}, Sizes{5, 16, 64, 64}, Sizes{7, 65, 33, 17}, Sizes{130, 197, 64, 64}, Sizes{49, 49, 32, 32},
        Sizes{3, 300, 80, 129}, Sizes{200, 1000, 16, 24}}) {
    const OneHead p(length, columns, size, value_size);
    const std::vector<float> found = p.Run(BFloat16Factors());
    const std::vector<double> expected = Expected(p);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_NE(found, p.Run(Floats()));
    // Each weight has a relative error of at most 2^-9, weights add up to 1, and values are below 1.
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 2.1e-3) << i << " seed " << p.seed;
  }
}

TEST_F(RoundedAttention, NaNAndInfinityPassAsInFloat32) {
  OneHead p = HeadWithNaNAndInfinity();
  p.v[10 * 24 + 2] = kInfinity;  // column 2 of all rows that attend to value 10
  CheckNotFinite(p.Run(BFloat16Factors()), p.Run(Floats()));
}

}  // namespace
}  // namespace kuiper_infer::kernel
