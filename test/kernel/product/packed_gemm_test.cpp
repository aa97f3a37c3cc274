// SPDX-License-Identifier: MIT
#include "kernel/product/packed_gemm.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Sizes around the tiles' heights (4 to 14) and widths (16, 32), one, zero, long depths.
struct Sizes {
  int64_t rows, columns, depth;
};
constexpr Sizes kSizes[] = {{1, 1, 1},    {0, 5, 3},     {5, 0, 3},     {5, 7, 0},     {1, 33, 5},     {13, 15, 17},
                            {14, 16, 9},  {15, 17, 9},   {28, 31, 40},  {29, 32, 40},  {27, 33, 40},   {8, 47, 3},
                            {6, 48, 100}, {7, 49, 600},  {17, 40, 256}, {17, 40, 257}, {30, 70, 1025}, {64, 49, 64},
                            {3, 129, 27}, {100, 65, 33}, {12, 64, 1000}};

void CheckLeft(const Sizes& sizes, bool with_bias, const Activation& activation) {
  const auto [rows, columns, depth] = sizes;
  const auto seed = static_cast<uint32_t>(rows * 10007 + columns * 101 + depth);
  SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth) + " seed " +
               std::to_string(seed));
  constexpr int64_t kGap = 3;
  const int64_t ldb = columns + kGap;
  const int64_t ldc = columns + kGap;
  const auto a = RandomVector<float>(rows * depth, seed);
  const auto b = RandomVector<float>(depth * ldb, seed + 1);
  const auto bias = RandomVector<float>(rows, seed + 2);
  std::vector<float> packed(static_cast<std::size_t>(PackedLeftSize(rows, depth)));
  PackLeft(rows, depth, a.data(), depth, packed.data());
  std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
  const GemmEpilogue epilogue{with_bias ? bias.data() : nullptr, activation};
  MultiplyPackedLeft(rows, columns, depth, packed.data(), b.data(), ldb, epilogue, c.data(), ldc);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < ldc; ++j) {
      double expected = 77;
      if (j < columns) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k) sum += static_cast<double>(a[i * depth + k]) * b[k * ldb + j];
        expected = sum + (with_bias ? bias[i] : 0.0);
        activation.Apply(&expected, 1);
      }
      ASSERT_NEAR(c[i * ldc + j], expected, 2 * SumTolerance<float>(depth)) << "at " << i << "," << j;
    }
  }
}

TEST(PackedGemm, EqualsTripleLoop) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  for (const Sizes& sizes : kSizes) {
    for (const bool with_bias : {false, true}) {
      for (const char* name : {"", "relu", "leaky_relu"}) {
        const Activation activation{FindUnary(name), {0.1, 0, 0}};
        CheckLeft(sizes, with_bias, activation);
      }
    }
  }
}

TEST(PackedGemm, KeepsNaN) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  const float a = std::nanf("");
  const float b = 1;
  std::vector<float> packed(static_cast<std::size_t>(PackedLeftSize(1, 1)));
  PackLeft(1, 1, &a, 1, packed.data());
  float c = 0;
  MultiplyPackedLeft(1, 1, 1, packed.data(), &b, 1, {nullptr, {FindUnary("relu6"), {}}}, &c, 1);
  EXPECT_TRUE(std::isnan(c));
}

}  // namespace
}  // namespace kuiper_infer::kernel
