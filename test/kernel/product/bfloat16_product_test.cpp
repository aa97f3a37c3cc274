// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16_product.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/bfloat16_tile.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Sizes around the tiles' heights (6 to 14), widths (16 to 64), blocks (256 deep, 112 rows), odd depths, one, zero.
struct Sizes {
  int64_t rows, columns, depth;
  int64_t segments = 1;
};
constexpr Sizes kSizes[] = {{1, 1, 1},     {0, 5, 3},      {5, 0, 3},       {5, 7, 0},       {1, 33, 5},
                            {13, 15, 17},  {14, 16, 9},    {15, 17, 9},     {28, 31, 40},    {29, 32, 41},
                            {8, 47, 3},    {6, 48, 100},   {7, 49, 600},    {17, 64, 64},    {17, 65, 257},
                            {30, 70, 513}, {113, 49, 256}, {3, 129, 27},    {100, 65, 33},   {5, 130, 2101},
                            {200, 24, 77}, {9, 200, 12},   {11, 40, 21, 3}, {7, 70, 200, 3}, {20, 16, 8, 5}};

struct Options {
  bool bias;
  bool addend;
  const char* activation;
  bool factors = false;
};

struct Problem {
  Problem(const Sizes& sizes, const Options& options)
      : rows(sizes.rows),
        columns(sizes.columns),
        depth(sizes.depth * sizes.segments),
        seed(static_cast<uint32_t>(rows * 7 + columns * 10007 + depth * 101)),
        lda(depth + 2),
        ldc(columns + 3),
        a(RandomVector<float>(rows * lda, seed)),
        weight(RandomVector<float>(columns * lda, seed + 1)),
        bias(RandomVector<float>(columns, seed + 2)),
        addend(RandomVector<float>(rows * ldc, seed + 3)),
        factors(RandomVector<float>(sizes.depth, seed + 4)),
        packed(static_cast<std::size_t>(PackedBFloat16Bytes(columns, depth) / 2)) {
    PackBFloat16Window(columns, depth, 1, weight.data(), lda, packed.data());
    product = {rows, columns, sizes.depth, a.data(), lda};
    product.weight = packed.data();
    product.segments = sizes.segments;
    product.segment_stride = sizes.depth;
    product.ldc = ldc;
    if (options.bias) product.bias = bias.data();
    if (options.addend) product.addend = addend.data();
    product.addend_ld = ldc;
    if (options.factors) product.factors = factors.data();
    product.activation = {FindUnary(options.activation), {-0.5, 0.25, 0}};
  }

  std::vector<float> Run(MatrixUnit unit) {
    std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
    product.c = c.data();
    MultiplyByBFloat16Weight(product, unit);
    return c;
  }

  int64_t rows, columns, depth;
  uint32_t seed;
  int64_t lda, ldc;
  std::vector<float> a, weight, bias, addend, factors;
  std::vector<uint16_t> packed;
  WeightProduct product;
};

float Rounded(float value) { return BFloat16(value); }

void CheckAgainstTripleLoop(const Sizes& sizes, const Options& options) {
  Problem p(sizes, options);
  SCOPED_TRACE(std::to_string(p.rows) + "x" + std::to_string(p.columns) + "x" + std::to_string(p.depth) + " " +
               options.activation + " seed " + std::to_string(p.seed));
  const std::vector<float> c = p.Run(MatrixUnit::kNone);
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.ldc; ++j) {
      double expected = 77;
      if (j < p.columns) {
        double sum = 0;
        for (int64_t k = 0; k < p.depth; ++k) {
          const float factor = options.factors ? p.factors[k % sizes.depth] : 1.0F;
          sum += static_cast<double>(Rounded(p.a[i * p.lda + k] * factor)) * Rounded(p.weight[j * p.lda + k]);
        }
        expected = sum + (options.bias ? p.bias[j] : 0.0) + (options.addend ? p.addend[i * p.ldc + j] : 0.0);
        p.product.activation.Apply(&expected, 1);
      }
      ASSERT_NEAR(c[i * p.ldc + j], expected, 2 * SumTolerance<float>(p.depth)) << "at " << i << "," << j;
    }
  }
}

template <class Check>
void ForAll(const Check& check) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const Sizes& sizes : kSizes) {
      for (const char* name : {"", "relu", "clamp", "leaky_relu"}) check(sizes, Options{true, true, name});
      check(sizes, Options{false, false, ""});
      check(sizes, Options{true, false, "silu"});
      check(sizes, Options{true, true, "hardswish", true});
    }
  }
}

TEST(BFloat16Product, EqualsTripleLoopOfRoundedNumbers) { ForAll(CheckAgainstTripleLoop); }

class BFloat16Unit : public testing::Test {
 protected:
  void SetUp() override {
    if (UsedMatrixUnit() == MatrixUnit::kNone) GTEST_SKIP() << "this CPU has no unit for bfloat16";
  }
};

TEST_F(BFloat16Unit, EqualsPortableCodeBitByBit) {
  ForAll([](const Sizes& sizes, const Options& options) {
    Problem p(sizes, options);
    const std::vector<float> unit = p.Run(UsedMatrixUnit());
    const std::vector<float> portable = p.Run(MatrixUnit::kNone);
    for (std::size_t i = 0; i < unit.size(); ++i) {
      ASSERT_EQ(unit[i], portable[i]) << p.rows << "x" << p.columns << "x" << p.depth << " at " << i << " seed "
                                      << p.seed;
    }
  });
}

TEST_F(BFloat16Unit, KeepsNaNAndInfinityAsPortableCode) {
  const float infinity = std::numeric_limits<float>::infinity();
  Problem p({3, 20, 40}, {true, false, "relu6"});
  p.a[5] = std::nanf("");
  p.a[p.lda + 5] = infinity;
  p.a[2 * p.lda + 5] = 3.4e38F;  // becomes infinite
  for (const MatrixUnit unit : {UsedMatrixUnit(), MatrixUnit::kNone}) {
    const std::vector<float> c = p.Run(unit);
    for (int64_t j = 0; j < p.columns; ++j) {
      EXPECT_TRUE(std::isnan(c[j]));
      for (const int64_t i : {1, 2}) EXPECT_EQ(c[i * p.ldc + j], p.weight[j * p.lda + 5] > 0 ? 6 : 0);
    }
  }
}

#if defined(__x86_64__)
TEST_F(BFloat16Unit, RoundsAsPortableCode) {
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += 0x0FFF1) {
    const auto word = static_cast<uint32_t>(bits);
    numbers.push_back(0);
    std::memcpy(&numbers.back(), &word, sizeof(word));
  }
  const auto count = static_cast<int64_t>(numbers.size());
  std::vector<uint16_t> unit(numbers.size());
  std::vector<uint16_t> portable(numbers.size());
  Avx512BFloat16Kernel().round(numbers.data(), count, unit.data());
  PortableBFloat16Kernel().round(numbers.data(), count, portable.data());
  for (std::size_t i = 0; i < unit.size(); ++i) ASSERT_EQ(unit[i], portable[i]) << numbers[i];
}
#endif

TEST(BFloat16Product, PacksRowsAsColumns) {
  for (const auto& [columns, inputs] : {std::pair<int64_t, int64_t>{70, 9}, {16, 4}, {5, 1}}) {
    const auto weight = RandomVector<float>(columns * inputs, 3);
    std::vector<float> turned(weight.size());
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t k = 0; k < inputs; ++k) turned[k * columns + j] = weight[j * inputs + k];
    }
    const auto size = static_cast<std::size_t>(PackedBFloat16Bytes(columns, inputs) / 2);
    std::vector<uint16_t> window(size);
    std::vector<uint16_t> rows(size, 7);
    PackBFloat16Window(columns, inputs, 1, weight.data(), inputs, window.data());
    for (int64_t k = 0; k < inputs; k += 2) {
      const int64_t count = std::min<int64_t>(2, inputs - k);
      PackBFloat16Rows(columns, inputs, k, count, turned.data() + k * columns, columns, rows.data());
    }
    EXPECT_EQ(window, rows);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
