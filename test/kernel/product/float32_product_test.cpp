// SPDX-License-Identifier: MIT

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

const ProductKernel& Kernel() { return Float32Kernel(UsedIsa()); }

/// Sizes around the tiles' heights (6 to 14) and widths (8 to 64), one, zero, depths beyond a block of 1024.
struct Sizes {
  int64_t rows, columns, depth;
};
constexpr Sizes kSizes[] = {
    {1, 1, 1},     {0, 5, 3},     {5, 0, 3},      {5, 7, 0},      {1, 33, 5},      {13, 15, 17},  {14, 16, 9},
    {15, 17, 9},   {28, 31, 40},  {29, 32, 40},   {27, 33, 40},   {8, 47, 3},      {6, 48, 100},  {7, 49, 600},
    {17, 64, 64},  {17, 65, 257}, {30, 70, 1025}, {64, 49, 64},   {3, 129, 27},    {100, 65, 33}, {97, 40, 20},
    {30, 56, 200}, {33, 104, 21}, {12, 64, 1024}, {5, 130, 2100}, {200, 24, 1500}, {9, 200, 12},  {70, 200, 400}};

struct Options {
  bool bias;
  bool residual;
  const char* activation;
  bool factors = false;
};

void Check(const Sizes& sizes, const Options& options) {
  const auto [rows, columns, depth] = sizes;
  const auto seed = static_cast<uint32_t>(rows * 7 + columns * 10007 + depth * 101);
  SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth) + " " +
               options.activation + " seed " + std::to_string(seed));
  constexpr int64_t kGap = 2;
  const Activation activation{FindUnary(options.activation), {-0.5, 0.25, 0}};
  const int64_t lda = depth + kGap;
  const int64_t ldc = columns + kGap;
  const auto a = RandomVector<float>(rows * lda, seed);
  const auto weight = RandomVector<float>(columns * lda, seed + 1);
  const auto bias = RandomVector<float>(columns, seed + 2);
  const auto residual = RandomVector<float>(rows * ldc, seed + 3);
  const auto factors = RandomVector<float>(depth, seed + 4);
  const auto packed = PackedFor(Kernel(), {columns, depth, 1, weight.data(), lda});
  std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
  Product product{rows, columns, depth, {a.data(), lda}, {&Kernel(), packed.data()}, {c.data(), ldc}};
  if (options.bias) product.epilogue.bias = bias.data();
  if (options.residual) product.epilogue.residual = {residual.data(), ldc};
  if (options.factors) product.factors = factors.data();
  product.epilogue.activation = activation;
  Multiply(product);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < ldc; ++j) {
      double expected = 77;
      if (j < columns) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k) {
          sum += (options.factors ? factors[k] : 1.0) * static_cast<double>(a[i * lda + k]) * weight[j * lda + k];
        }
        expected = sum + (options.bias ? bias[j] : 0.0) + (options.residual ? residual[i * ldc + j] : 0.0);
        activation.Apply(&expected, 1);
      }
      ASSERT_NEAR(c[i * ldc + j], expected, 2 * SumTolerance<float>(depth)) << "at " << i << "," << j;
    }
  }
}

/// Results that are rounded to bfloat16 on the way, and a residual of such numbers, give the bits of float32 ones.
TEST(Float32Product, WritesBFloat16AndAddsAResidualOfIt) {
  if (Kernel().MostRoundedDepth() == 0) GTEST_SKIP() << "kernels for bfloat16 arrays are made for AVX-512";
  for (const Sizes& sizes : kSizes) {
    const auto [rows, columns, depth] = sizes;
    if (depth > Kernel().MostRoundedDepth()) continue;
    for (const char* name : {"", "relu", "silu", "hardswish"}) {
      const auto seed = static_cast<uint32_t>(rows * 7 + columns * 10007 + depth * 101);
      SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth) + " " + name +
                   " seed " + std::to_string(seed));
      const int64_t ldc = columns + 3;
      const auto a = RandomVector<float>(rows * depth, seed);
      const auto weight = RandomVector<float>(columns * depth, seed + 1);
      const auto bias = RandomVector<float>(columns, seed + 2);
      const auto numbers = RandomVector<float>(rows * ldc, seed + 3);
      const std::vector<BFloat16> added(numbers.begin(), numbers.end());
      const std::vector<float> residual(added.begin(), added.end());
      const auto packed = PackedFor(Kernel(), {columns, depth, 1, weight.data(), depth});
      std::vector<float> c(numbers.size(), 77.0F);
      Product product{rows, columns, depth, {a.data(), depth}, {&Kernel(), packed.data()}, {c.data(), ldc}};
      product.epilogue.bias = bias.data();
      product.epilogue.residual = {residual.data(), ldc};
      product.epilogue.activation.function = FindUnary(name);
      Multiply(product);
      std::vector<BFloat16> found(numbers.size(), 77.0F);
      product.c = {found.data(), ldc, RuntimeDataType::kTypeBFloat16};
      product.epilogue.residual = {added.data(), ldc, RuntimeDataType::kTypeBFloat16};
      Multiply(product);
      for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(found[i].bits, BFloat16(c[i]).bits) << i;
    }
  }
}

TEST(Float32Product, EqualsTripleLoop) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    for (const Sizes& sizes : kSizes) {
      for (const char* name : {"", "relu", "clamp", "leaky_relu"}) Check(sizes, {true, true, name});
      Check(sizes, {false, false, ""});
      Check(sizes, {true, false, "silu"});
      Check(sizes, {true, true, "hardswish", true});
    }
  }
}

/// Returns the first `columns` columns of a wider product, in rows of `ldc`.
std::vector<float> FirstColumns(const Sizes& sizes, int64_t columns, int64_t ldc) {
  const auto [rows, all, depth] = sizes;
  const auto a = RandomVector<float>(rows * depth, 1);
  const auto weight = RandomVector<float>(all * depth, 2);
  const auto bias = RandomVector<float>(all, 3);
  const auto residual = RandomVector<float>(rows * ldc, 4);
  const auto packed = PackedFor(Kernel(), {columns, depth, 1, weight.data(), depth});
  std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
  Product product{rows, columns, depth, {a.data(), depth}, {&Kernel(), packed.data()}, {c.data(), ldc}};
  product.epilogue = {bias.data(), {residual.data(), ldc}, {FindUnary("hardswish"), {}}};
  Multiply(product);
  return c;
}

/// This holds even if two rows share the last vector of columns, as with AVX-512.
TEST(Float32Product, ColumnsDoNotChangeEachOthersBits) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  for (const int64_t columns : {8, 17, 24, 25, 40, 54, 72, 88, 120}) {
    for (const int64_t rows : {1, 2, 3, 13, 32, 49}) {
      for (const int64_t depth : {1, 16, 193, 400}) {
        const int64_t all = (columns + 15) / 16 * 16;
        const Sizes sizes{rows, all, depth};
        const std::vector<float> expected = FirstColumns(sizes, all, all);
        const std::vector<float> c = FirstColumns(sizes, columns, all);
        for (int64_t i = 0; i < rows * all; ++i) {
          ASSERT_EQ(c[i], i % all < columns ? expected[i] : 77.0F)
              << rows << "x" << columns << "x" << depth << " at " << i / all << "," << i % all;
        }
      }
    }
  }
}

TEST(Float32Product, KeepsNaN) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  const float a = std::nanf("");
  const float weight = 1;
  const auto packed = PackedFor(Kernel(), {1, 1, 1, &weight, 1});
  float c = 0;
  Product product{1, 1, 1, {&a, 1}, {&Kernel(), packed.data()}, {&c, 1}};
  for (const char* name : {"relu6", "hardswish"}) {
    c = 0;
    product.epilogue.activation = {FindUnary(name), {}};
    Multiply(product);
    EXPECT_TRUE(std::isnan(c)) << name;
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
