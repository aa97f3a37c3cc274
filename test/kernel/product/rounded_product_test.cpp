// SPDX-License-Identifier: MIT
// Products of float32 rows, rounded to 8 bits, by weights stored as integers.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <hwy/detect_targets.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/integer_formats.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"
#include "kernel/product/integer_weights/rounding_kernel.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/fused_multiply_add.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Sizes {
  int64_t rows, columns, depth, group;  // group: numbers that share parameters; 0: all of a row
};

const ProductKernel& KernelFor(Isa isa, Int8Unit unit, const WeightFormat& format) {
  return KernelOf(RoundingKernels(isa, unit), format);
}

struct Problem {
  Problem(const FormatCase& of, const Sizes& sizes)
      : format(*of.format),
        seed(static_cast<uint32_t>(sizes.rows * 7 + sizes.columns * 10007 + sizes.depth * 101 + sizes.group)),
        rows(sizes.rows),
        columns(sizes.columns),
        depth(sizes.depth),
        groups(sizes.group == 0 ? 1 : sizes.depth / sizes.group),
        lda(depth + 3),
        ldc(columns + 5),
        a(RandomVector<float>(rows * lda, seed)),
        integers(static_cast<std::size_t>(columns * depth)),
        parameters(RandomVector<float>(columns * groups * format.ParameterCount(), seed + 2)),
        bias(RandomVector<float>(columns, seed + 3)),
        residual(RandomVector<float>(rows * ldc, seed + 4)) {
    std::mt19937 generator(seed + 1);
    std::uniform_int_distribution<int> distribution(of.least, of.most);
    for (float& integer : integers) integer = static_cast<float>(distribution(generator));
    for (std::size_t i = 0; i < a.size(); i += 97) a[i] *= 30;  // blocks of a row get unlike scales
  }

  /// The definition of rounding_kernel.hpp in plain loops.
  std::vector<float> Expected() const {
    std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j)
        c[i * ldc + j] = std::max(0.0F, Sum(i, j) + residual[i * ldc + j] + bias[j]);
    }
    return c;
  }

  std::vector<float> Run(const ProductKernel& kernel, bool in_halves = false) const {
    const auto packed = PackedFor(kernel, {columns, depth, 1, integers.data(), depth});
    const int64_t count = groups * format.ParameterCount();
    const auto packed_parameters =
        PackedFor(Float32Kernel(kernel.units.isa), {columns, count, 1, parameters.data(), count});
    Product product{rows, columns, depth, {a.data(), lda}};
    product.weight = {&kernel, packed.data(), packed_parameters.data(), groups};
    const auto halves = HalvesOf(packed_parameters);
    if (in_halves) {
      product.weight.parameters = halves.data();
      product.weight.parameter_type = RuntimeDataType::kTypeFloat16;
    }
    product.epilogue.bias = bias.data();
    product.epilogue.residual = {residual.data(), ldc};
    product.epilogue.activation = {FindUnary("relu"), {}};
    std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
    product.c = {c.data(), ldc};
    Multiply(product);
    return c;
  }

  const WeightFormat& format;
  uint32_t seed;
  int64_t rows, columns, depth, groups, lda, ldc;
  std::vector<float> a, integers, parameters, bias, residual;

 private:
  float Sum(int64_t i, int64_t j) const {
    const int64_t group_depth = depth / groups;
    float total = 0;
    for (int64_t group = 0; group < groups; ++group) {
      const float* const parameter = parameters.data() + (j * groups + group) * format.ParameterCount();
      for (int64_t first = 0; first < group_depth; first += kMostRoundedBlock) {
        const int64_t begin = group * group_depth + first;
        const int64_t end = begin + std::min(kMostRoundedBlock, group_depth - first);
        float largest = 0;
        for (int64_t k = begin; k < end; ++k) largest = std::max(largest, std::abs(a[i * lda + k]));
        int32_t dot = 0;
        int32_t sum = 0;
        for (int64_t k = begin; k < end && largest > 0; ++k) {
          const int x = static_cast<int>(std::nearbyint(a[i * lda + k] * (127 / largest)));
          dot += x * static_cast<int>(integers[j * depth + k]);
          sum += x;
        }
        const float scale = largest > 0 ? largest / 127 : 1;
        total = Fma(static_cast<float>(dot), parameter[0] * scale, total);
        if (format.asymmetric) total = Fma(parameter[1], static_cast<float>(sum) * scale, total);
      }
    }
    return total;
  }
};

/// Whether this CPU has an instruction set, and the build: builds under sanitizers leave out some.
bool IsHere(Isa isa) {
  if (isa == Isa::kAvx2 && (HWY_TARGETS & HWY_AVX2) == 0) return false;
  if (isa == Isa::kAvx512 && (HWY_TARGETS & HWY_AVX3) == 0) return false;
  return isa <= UsedIsa();
}

/// The units that run here, on the instruction sets that are here.
std::vector<std::pair<Isa, Int8Unit>> UnitsHere() {
  std::vector<std::pair<Isa, Int8Unit>> units;
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (!IsHere(isa)) continue;
    if (isa == Isa::kBaseline) units.emplace_back(isa, Int8Unit::kPortable);
    for (const Int8Unit unit : {Int8Unit::kAvx2, Int8Unit::kAvxVnni, Int8Unit::kAvx512Vnni}) {
      if (HasInt8Unit(unit) && GainsByRounding(isa, unit)) units.emplace_back(isa, unit);
    }
  }
  return units;
}

bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class RoundedProduct : public testing::TestWithParam<FormatCase> {};

TEST_P(RoundedProduct, EqualsTheDefinitionBitByBit) {
  std::mt19937 generator(11);
  std::uniform_int_distribution<int64_t> any(1, 200);
  for (int64_t rows = 1; rows <= 17; ++rows) {
    for (const int64_t group : {0, 32, 64, 128, 8}) {
      const int64_t depth = group == 0 ? any(generator) * 2 + 1 : group * (1 + any(generator) % 5);
      const Problem p(GetParam(), {rows, any(generator), depth, group});
      const std::vector<float> expected = p.Expected();
      for (const auto& [isa, unit] : UnitsHere()) {
        const ProductKernel& kernel = KernelFor(isa, unit, p.format);
        ASSERT_TRUE(kernel.Suits({p.rows, p.columns, p.depth, 1, p.groups}));
        EXPECT_TRUE(SameBits(p.Run(kernel), expected))
            << rows << "x" << p.columns << "x" << depth << " in groups of " << group << ", isa "
            << static_cast<int>(isa) << ", " << Int8UnitName(unit) << ", seed " << p.seed;
      }
    }
  }
}

TEST_P(RoundedProduct, ReadsParametersOfHalfPrecision) {
  for (const Sizes& sizes : {Sizes{1, 200, 256, 32}, {7, 70, 96, 32}, {13, 33, 40, 8}, {20, 130, 77, 0}}) {
    Problem p(GetParam(), sizes);
    for (float& parameter : p.parameters) parameter = Float16(parameter);
    const std::vector<float> expected = p.Expected();
    for (const auto& [isa, unit] : UnitsHere()) {
      const ProductKernel& kernel = KernelFor(isa, unit, p.format);
      if (p.groups > kernel.half_groups) continue;
      EXPECT_TRUE(SameBits(p.Run(kernel, true), expected)) << Int8UnitName(unit) << ", seed " << p.seed;
    }
  }
}

TEST_P(RoundedProduct, TheLargestIntegersDoNotOverflow) {
  for (const int64_t group : {0, 8, 32, 128}) {
    for (const float row : {1.0F, -1.0F}) {
      for (const int integer : {GetParam().least, GetParam().most}) {
        Problem p(GetParam(), {5, 70, 256, group});
        std::fill(p.a.begin(), p.a.end(), row);
        std::fill(p.integers.begin(), p.integers.end(), static_cast<float>(integer));
        const std::vector<float> expected = p.Expected();
        for (const auto& [isa, unit] : UnitsHere()) {
          EXPECT_TRUE(SameBits(p.Run(KernelFor(isa, unit, p.format)), expected))
              << row << " * 127 * " << integer << " in groups of " << group << ", " << Int8UnitName(unit);
        }
      }
    }
  }
}

TEST_P(RoundedProduct, AnyNumberOfThreadsGivesTheSameBits) {
  for (const Sizes& sizes : {Sizes{1, 700, 256, 32}, {3, 260, 512, 0}, {100, 130, 96, 32}, {250, 40, 2000, 0}}) {
    const Problem p(GetParam(), sizes);
    const std::vector<float> expected = p.Expected();
    for (const int threads : {1, 2, 3}) {
      const ThreadScope scope(threads);
      const auto [isa, unit] = UnitsHere().back();
      EXPECT_TRUE(SameBits(p.Run(KernelFor(isa, unit, p.format)), expected)) << sizes.rows << " rows, " << threads;
    }
  }
}

TEST_P(RoundedProduct, RowsWithNaNOrInfinityGiveNaN) {
  for (const auto& [isa, unit] : UnitsHere()) {
    Problem p(GetParam(), {4, 70, 96, 32});
    p.a[1 * p.lda + 40] = std::numeric_limits<float>::quiet_NaN();
    p.a[3 * p.lda + 95] = -std::numeric_limits<float>::infinity();
    std::fill_n(p.a.begin() + 2 * p.lda, p.depth, 0.0F);
    const std::vector<float> c = p.Run(KernelFor(isa, unit, p.format));
    for (int64_t j = 0; j < p.columns; ++j) {
      EXPECT_FALSE(std::isnan(c[j]));
      EXPECT_TRUE(std::isnan(c[p.ldc + j]));
      EXPECT_EQ(c[2 * p.ldc + j], std::max(0.0F, p.residual[2 * p.ldc + j] + p.bias[j]));
      EXPECT_TRUE(std::isnan(c[3 * p.ldc + j]));
    }
  }
}

/// Half a step of a row's largest number each: the error is that of random walks of such steps.
TEST_P(RoundedProduct, IsAsExactAsEightBits) {
  const Problem p(GetParam(), {5, 64, 1024, 32});
  const auto [isa, unit] = UnitsHere().back();
  const std::vector<float> rounded = p.Run(KernelFor(isa, unit, p.format));
  const std::vector<float> exact = p.Run(KernelOf(IntegerWeightKernels(isa), p.format));
  double error = 0;
  double power = 0;
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.columns; ++j) {
      const double difference = rounded[i * p.ldc + j] - exact[i * p.ldc + j];
      error += difference * difference;
      power += static_cast<double>(exact[i * p.ldc + j]) * exact[i * p.ldc + j];
    }
  }
  EXPECT_LT(std::sqrt(error / power), 0.02);
  EXPECT_GT(error, 0);
}

TEST_P(RoundedProduct, IsChosenAtMediumPrecision) {
  const WeightFormat* const format = GetParam().format;
  const auto chosen = [&](const Units& units, int pieces, int64_t groups, bool on_byte_grid = false) {
    ProductQuestion question{{4, 64, 96, 1, groups}};
    question.stored = format;
    question.pieces = pieces;
    question.on_byte_grid = on_byte_grid;
    return ChooseProduct(units, question).rounds_rows;
  };
  for (const auto& [isa, unit] : {std::pair{Isa::kAvx2, Int8Unit::kAvx2},
                                  {Isa::kAvx2, Int8Unit::kAvxVnni},
                                  {Isa::kAvx512, Int8Unit::kAvx512Vnni},
                                  {Isa::kAvx512, Int8Unit::kAmx}}) {
    if (!IsHere(isa)) continue;
    const Units units{isa, MatrixUnit::kNone, unit};
    for (const int pieces : {0, 1, 2, 3}) {
      EXPECT_EQ(chosen(units, pieces, 3), pieces == 1) << pieces;
    }
    EXPECT_FALSE(chosen(units, 1, 48)) << "groups of two numbers are no words";
  }
}

TEST_P(RoundedProduct, SharesPackedWeightsWithFloatRows) {
  for (const auto& [isa, unit] : UnitsHere()) {
    for (const ProductKernel* floats : IntegerWeightKernels(isa)) {
      const ProductKernel& rounding = KernelFor(isa, unit, floats->format);
      EXPECT_EQ(&floats->Layout(Arrangement::kWindows), &rounding.Layout(Arrangement::kWindows));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundedProduct, IntegerFormats(), FormatName);

}  // namespace
}  // namespace kuiper_infer::kernel
