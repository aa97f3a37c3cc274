// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/integer_formats.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Sizes around the tiles' heights (4 to 14), widths (8 to 64), blocks (192 deep), one, zero; groups that end inside,
/// at and beyond the end of a block.
struct Sizes {
  int64_t rows, columns, depth, groups;
};
constexpr Sizes kSizes[] = {{1, 1, 1, 1},     {0, 5, 3, 1},     {5, 0, 3, 3},    {5, 7, 0, 1},     {1, 33, 5, 5},
                            {1, 64, 384, 2},  {1, 130, 576, 3}, {2, 65, 192, 6}, {3, 17, 193, 1},  {4, 129, 400, 2},
                            {4, 48, 384, 12}, {5, 31, 40, 8},   {6, 48, 100, 1}, {7, 49, 600, 6},  {13, 15, 17, 17},
                            {14, 16, 9, 3},   {15, 65, 257, 1}, {29, 70, 27, 9}, {17, 112, 64, 4}, {200, 24, 300, 30},
                            {9, 200, 12, 2},  {2, 8, 7, 1},     {3, 9, 6, 2},    {5, 24, 191, 1},  {1, 513, 70, 7}};

struct Options {
  bool bias;
  bool residual;
  const char* activation;
};

const ProductKernel& KernelOf(const WeightFormat& format) { return KernelOf(IntegerWeightKernels(UsedIsa()), format); }

std::vector<float> RandomIntegers(const FormatCase& format, int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> distribution(format.least, format.most);
  std::vector<float> integers(static_cast<std::size_t>(count));
  for (float& integer : integers) integer = static_cast<float>(distribution(generator));
  return integers;
}

struct Problem {
  Problem(const FormatCase& of, const Sizes& sizes, const Options& options = {false, false, ""})
      : format(*of.format),
        seed(static_cast<uint32_t>(sizes.rows * 7 + sizes.columns * 10007 + sizes.depth * 101 + format.bits)),
        columns(sizes.columns),
        depth(sizes.depth),
        lda(sizes.depth + 2),
        ldc(sizes.columns + 3),
        a(RandomVector<float>(sizes.rows * lda, seed)),
        integers(RandomIntegers(of, columns * depth, seed + 1)),
        parameters(RandomVector<float>(columns * sizes.groups * format.ParameterCount(), seed + 2)),
        bias(RandomVector<float>(columns, seed + 3)),
        residual(RandomVector<float>(sizes.rows * ldc, seed + 4)) {
    for (float& parameter : parameters) parameter /= static_cast<float>(1 << (format.bits - 1));
    product = {sizes.rows, columns, depth, {a.data(), lda}};
    product.weight = {&KernelOf(format), nullptr, nullptr, sizes.groups};
    Pack();
    PackParameters();
    product.c.ld = ldc;
    if (options.bias) product.epilogue.bias = bias.data();
    if (options.residual) product.epilogue.residual = {residual.data(), ldc};
    product.epilogue.activation = {FindUnary(options.activation), {-0.5, 0.25, 0}};
  }

  void Pack() {
    packed = PackedFor(*product.weight.kernel, {columns, depth, 1, integers.data(), depth});
    product.weight.data = packed.data();
  }

  void PackParameters() {
    const int64_t count = product.weight.groups * format.ParameterCount();
    packed_parameters = PackedFor(Float32Kernel(UsedIsa()), {columns, count, 1, parameters.data(), count});
    product.weight.parameters = packed_parameters.data();
  }

  /// Returns the weight's number at column j and row k.
  float Number(int64_t j, int64_t k) const {
    const int64_t groups = product.weight.groups;
    const int64_t group = j * groups + k / (depth / groups);
    float number = integers[j * depth + k];
    format.scale(parameters.data() + group * format.ParameterCount(), 1, &number);
    return number;
  }

  std::vector<float> Run(Product p) const {
    std::vector<float> c(static_cast<std::size_t>(p.rows * ldc), 77.0F);
    p.c.data = c.data();
    Multiply(p);
    return c;
  }

  /// Returns the product by the weight's numbers packed as floats.
  std::vector<float> RunInFloats() const {
    std::vector<float> numbers(static_cast<std::size_t>(columns * depth));
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t k = 0; k < depth; ++k) numbers[j * depth + k] = Number(j, k);
    }
    const ProductKernel& kernel = Float32Kernel(UsedIsa());
    const auto panels = PackedFor(kernel, {columns, depth, 1, numbers.data(), depth});
    Product floats = product;
    floats.weight = {&kernel, panels.data()};
    return Run(floats);
  }

  const WeightFormat& format;
  uint32_t seed;
  int64_t columns, depth, lda, ldc;
  std::vector<float> a, integers, parameters, bias, residual;
  std::vector<std::byte> packed, packed_parameters;
  Product product;
};

class IntegerProduct : public testing::TestWithParam<FormatCase> {
 protected:
  void SetUp() override {
    if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  }

  template <class Check>
  void ForAll(const Check& check) const {
    for (const Sizes& sizes : kSizes) {
      for (const Options& options : {Options{true, true, "relu"},
                                     {true, true, "clamp"},
                                     {false, true, "leaky_relu"},
                                     {true, false, "silu"},
                                     {true, true, "hardswish"}}) {
        const Problem p(GetParam(), sizes, options);
        SCOPED_TRACE(std::to_string(sizes.rows) + "x" + std::to_string(sizes.columns) + "x" +
                     std::to_string(sizes.depth) + " in " + std::to_string(sizes.groups) + " groups, " +
                     options.activation + ", seed " + std::to_string(p.seed));
        check(p);
      }
    }
  }
};

TEST_P(IntegerProduct, EqualsTripleLoop) {
  ForAll([](const Problem& p) {
    const std::vector<float> c = p.Run(p.product);
    for (int64_t i = 0; i < p.product.rows; ++i) {
      for (int64_t j = 0; j < p.ldc; ++j) {
        double expected = 77;
        if (j < p.columns) {
          double sum = 0;
          for (int64_t k = 0; k < p.depth; ++k) sum += static_cast<double>(p.a[i * p.lda + k]) * p.Number(j, k);
          expected = sum + (p.product.epilogue.bias != nullptr ? p.bias[j] : 0.0) +
                     (p.product.epilogue.residual.data != nullptr ? p.residual[i * p.ldc + j] : 0.0);
          p.product.epilogue.activation.Apply(&expected, 1);
        }
        ASSERT_NEAR(c[i * p.ldc + j], expected, 2 * SumTolerance<float>(p.depth)) << "at " << i << "," << j;
      }
    }
  });
}

TEST_P(IntegerProduct, EqualsFloatPanelsBitByBit) {
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    ForAll([](const Problem& p) {
      const std::vector<float> quantized = p.Run(p.product);
      const std::vector<float> floats = p.RunInFloats();
      ASSERT_EQ(quantized.size(), floats.size());
      if (floats.empty()) return;  // memcmp takes no null
      ASSERT_EQ(std::memcmp(quantized.data(), floats.data(), floats.size() * sizeof(float)), 0);
    });
  }
}

TEST_P(IntegerProduct, ReadsParametersOfHalfPrecisionBitByBit) {
  const int64_t most = KernelOf(*GetParam().format).half_groups;
  if (most == 0) GTEST_SKIP() << "this instruction set reads no halves";
  for (const Sizes& sizes : kSizes) {
    if (sizes.groups > most) continue;
    Problem p(GetParam(), sizes);
    SCOPED_TRACE("seed " + std::to_string(p.seed));
    for (float& parameter : p.parameters) parameter = Float16(parameter);
    p.PackParameters();
    const std::vector<float> expected = p.Run(p.product);
    const std::vector<uint16_t> halves = HalvesOf(p.packed_parameters);
    p.product.weight.parameters = halves.data();
    p.product.weight.parameter_type = RuntimeDataType::kTypeFloat16;
    EXPECT_EQ(p.Run(p.product), expected);
  }
}

TEST_P(IntegerProduct, AddsToItself) {
  const Problem p(GetParam(), {5, 70, 400, 4});
  Product product = p.product;
  std::vector<float> c = p.residual;
  product.c.data = c.data();
  product.epilogue.residual = {c.data(), p.ldc};
  Multiply(product);
  product = p.product;
  product.epilogue.residual = {p.residual.data(), p.ldc};
  const std::vector<float> apart = p.Run(product);
  for (int64_t i = 0; i < product.rows; ++i) {
    for (int64_t j = 0; j < p.columns; ++j) ASSERT_EQ(c[i * p.ldc + j], apart[i * p.ldc + j]) << i << "," << j;
  }
}

TEST_P(IntegerProduct, KeepsNaNAndInfinity) {
  for (const int64_t rows : {3, 9}) {
    Problem p(GetParam(), {rows, 20, 40, 2}, {true, false, "relu6"});
    for (int64_t j = 0; j < p.columns; ++j) {
      p.integers[j * p.depth + 5] = static_cast<float>(j % 2 == 0 ? GetParam().most : GetParam().least);
    }
    p.Pack();
    p.a[5] = std::nanf("");
    p.a[p.lda + 5] = std::numeric_limits<float>::infinity();
    const std::vector<float> c = p.Run(p.product);
    for (int64_t j = 0; j < p.columns; ++j) {
      EXPECT_TRUE(std::isnan(c[j]));
      EXPECT_EQ(c[p.ldc + j], p.Number(j, 5) > 0 ? 6 : 0);
    }
  }
}

TEST_P(IntegerProduct, PacksInPartsAndBack) {
  const WeightPanels& panels = KernelOf(*GetParam().format).panels;
  for (const auto& [columns, depth] : {std::pair<int64_t, int64_t>{200, 9}, {16, 4}, {5, 1}, {129, 30}, {64, 7}}) {
    const auto integers = RandomIntegers(GetParam(), columns * depth, 5);
    std::vector<uint8_t> packed(static_cast<std::size_t>(panels.Bytes(columns, depth)), 0xAB);
    for (int64_t first = 0; first < columns; first += panels.Columns()) {
      panels.Pack({std::min(panels.Columns(), columns - first), depth, 1, integers.data() + first * depth, depth},
                  packed.data() + panels.Bytes(first, depth));
    }
    std::vector<float> back(integers.size());
    panels.Unpack({columns, depth}, packed.data(), back.data());
    EXPECT_EQ(back, integers) << columns << "x" << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, IntegerProduct, IntegerFormats(), FormatName);

}  // namespace
}  // namespace kuiper_infer::kernel
