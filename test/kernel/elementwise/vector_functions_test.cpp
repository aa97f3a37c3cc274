// SPDX-License-Identifier: MIT
// Compares the approximated functions with the standard library's in double, on every instruction set of this CPU.
// docs/numerics.md gives the bounds.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/elementwise/vector_functions_test.cpp"
#include <cmath>
#include <cstdint>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/byte_functions-inl.hpp"
#include "kernel/elementwise/vector_functions-inl.hpp"
#include "kernel/elementwise/vector_math.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Calls a function of vector_math.hpp in a loop that compilers vectorise.
template <float (*kFunction)(float)>
void Loop(const float* x, float* y, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] = kFunction(x[i]);
}

}  // namespace

void EvaluateExpOf(const float* x, float* y, int64_t count) { VectorBlock<ExpOf>(x, y, count, nullptr); }
void EvaluateSigmoidOf(const float* x, float* y, int64_t count) { VectorBlock<SigmoidOf>(x, y, count, nullptr); }
void EvaluateSiluOf(const float* x, float* y, int64_t count) { VectorBlock<SiluOf>(x, y, count, nullptr); }
void EvaluateMishOf(const float* x, float* y, int64_t count) { VectorBlock<MishOf>(x, y, count, nullptr); }
void EvaluateGeluOf(const float* x, float* y, int64_t count) { VectorBlock<GeluOf>(x, y, count, nullptr); }
void EvaluateGeluTanhOf(const float* x, float* y, int64_t count) { VectorBlock<GeluTanhOf>(x, y, count, nullptr); }
void EvaluateHardsigmoidOf(const float* x, float* y, int64_t count) {
  VectorBlock<HardsigmoidOf>(x, y, count, nullptr);
}
void EvaluateHardswishOf(const float* x, float* y, int64_t count) { VectorBlock<HardswishOf>(x, y, count, nullptr); }
void EvaluateGeluForBytes(const float* x, float* y, int64_t count) { VectorBlock<GeluForBytes>(x, y, count, nullptr); }
void EvaluateSiluForBytes(const float* x, float* y, int64_t count) { VectorBlock<SiluForBytes>(x, y, count, nullptr); }
void EvaluateExp(const float* x, float* y, int64_t count) { Loop<Exp>(x, y, count); }
void EvaluateTanh(const float* x, float* y, int64_t count) { Loop<Tanh>(x, y, count); }
void EvaluateErf(const float* x, float* y, int64_t count) { Loop<Erf>(x, y, count); }
void EvaluateSigmoid(const float* x, float* y, int64_t count) { Loop<Sigmoid<float>>(x, y, count); }

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(EvaluateExpOf);
KUIPER_SIMD_TABLE(EvaluateSigmoidOf);
KUIPER_SIMD_TABLE(EvaluateSiluOf);
KUIPER_SIMD_TABLE(EvaluateMishOf);
KUIPER_SIMD_TABLE(EvaluateGeluOf);
KUIPER_SIMD_TABLE(EvaluateGeluTanhOf);
KUIPER_SIMD_TABLE(EvaluateHardsigmoidOf);
KUIPER_SIMD_TABLE(EvaluateHardswishOf);
KUIPER_SIMD_TABLE(EvaluateGeluForBytes);
KUIPER_SIMD_TABLE(EvaluateSiluForBytes);
KUIPER_SIMD_TABLE(EvaluateExp);
KUIPER_SIMD_TABLE(EvaluateTanh);
KUIPER_SIMD_TABLE(EvaluateErf);
KUIPER_SIMD_TABLE(EvaluateSigmoid);

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double SigmoidTwin(double x) { return 1 / (1 + std::exp(-x)); }
double SiluTwin(double x) { return x / (1 + std::exp(-x)); }
double MishTwin(double x) { return x * std::tanh(std::log1p(std::exp(x))); }
double GeluTwin(double x) { return x / 2 * std::erfc(-x * 0.70710678118654752440); }
double GeluTanhTwin(double x) { return x / (1 + std::exp(-2 * 0.79788456080286535588 * (x + 0.044715 * x * x * x))); }
double HardsigmoidTwin(double x) { return std::min(std::max(x + 3, 0.0), 6.0) / 6; }
double HardswishTwin(double x) { return x * HardsigmoidTwin(x); }

using Evaluate = void (*)(const float* x, float* y, int64_t count);

/// A function and its tolerance for x in [low, high]: `ulps` units in the last place on CPUs with fused multiply-adds,
/// `plain_ulps` on CPUs without, or `absolute`.
struct Bound {
  const char* name;
  const Evaluate* versions;  ///< by Isa
  double (*twin)(double);
  float low;
  float high;
  double ulps;
  double plain_ulps;
  double absolute;
};

const Bound kBounds[] = {
    {"ExpOf", EvaluateExpOfTable, std::exp, -87, 88, 1, 1.5, 0},
    {"SigmoidOf", EvaluateSigmoidOfTable, SigmoidTwin, -87, 87, 5, 64, 0},
    {"SigmoidOfMiddle", EvaluateSigmoidOfTable, SigmoidTwin, -4, 87, 5, 8, 0},
    {"SiluOf", EvaluateSiluOfTable, SiluTwin, -87, 1e30F, 6, 64, 0},
    {"MishOf", EvaluateMishOfTable, MishTwin, -87, 1e30F, 6, 6, 0},
    {"GeluOf", EvaluateGeluOfTable, GeluTwin, -1e10F, 1e30F, 4, 4, 3e-7},
    {"GeluTanhOf", EvaluateGeluTanhOfTable, GeluTanhTwin, -1e30F, 1e30F, 6, 6, 3e-7},
    {"HardsigmoidOf", EvaluateHardsigmoidOfTable, HardsigmoidTwin, -1e30F, 1e30F, 2, 2, 2e-7},
    {"HardswishOf", EvaluateHardswishOfTable, HardswishTwin, -1e30F, 1e30F, 2, 2, 4e-7},
    {"GeluForBytes", EvaluateGeluForBytesTable, GeluTwin, -1e30F, 1e30F, 4, 4, 1.4e-4},
    {"GeluForBytesNearZero", EvaluateGeluForBytesTable, GeluTwin, -1, 1, 2400, 2400, 0},
    {"SiluForBytes", EvaluateSiluForBytesTable, SiluTwin, -1e30F, 1e30F, 4, 4, 3e-5},
    {"SiluForBytesRelative", EvaluateSiluForBytesTable, SiluTwin, -87, 87, 2000, 2000, 0},
    {"Exp", EvaluateExpTable, std::exp, -104, 88.7F, 1.1, 1.1, 0},
    {"Tanh", EvaluateTanhTable, std::tanh, -1e30F, 1e30F, 3, 3, 0},
    {"Erf", EvaluateErfTable, std::erf, -1e30F, 1e30F, 2, 2, 0},
    {"Sigmoid", EvaluateSigmoidTable, SigmoidTwin, -1e30F, 1e30F, 3, 3, 1e-38},
};

void PrintTo(const Bound& bound, std::ostream* stream) { *stream << bound.name; }

/// Returns floats of both signs in [low, high], `stride` representable numbers apart, from 1e-30 on, and the interval's
/// ends.
std::vector<float> DenseInputs(float low, float high, uint32_t stride) {
  std::vector<float> inputs{low, high};
  const auto bits_of = [](float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  };
  const uint32_t last = bits_of(std::max(std::abs(low), std::abs(high)));
  for (uint32_t bits = bits_of(1e-30F); bits < last; bits += stride) {
    float x = 0;
    std::memcpy(&x, &bits, sizeof(x));
    if (x <= high && x >= low) inputs.push_back(x);
    if (-x >= low && -x <= high) inputs.push_back(-x);
  }
  return inputs;
}

/// Returns the distance in units of the true value's last place; a unit is 2^-149 below the smallest normal number.
double Ulps(double found, double expected) {
  const float rounded = std::min(std::abs(static_cast<float>(expected)), std::numeric_limits<float>::max());
  const double unit = static_cast<double>(std::nextafter(rounded, kInfinity)) - rounded;
  return std::abs(found - expected) / (std::isfinite(unit) ? unit : std::ldexp(1.0, 104));
}

class ApproximationTest : public testing::TestWithParam<Bound> {};

TEST_P(ApproximationTest, StaysWithinItsBound) {
  const Bound& bound = GetParam();
  constexpr uint32_t kStride = 3989;  // a prime, so that the lowest bits take all values
  const std::vector<float> x = DenseInputs(bound.low, bound.high, kStride);
  std::vector<double> expected;
  for (const float value : x) expected.push_back(bound.twin(value));
  std::vector<float> y(x.size());
  for (int isa = 0; isa <= static_cast<int>(UsedIsa()); ++isa) {
    if (bound.versions[isa] == nullptr) continue;  // an instruction set that the build leaves out
    const bool fused = HWY_ARCH_ARM_A64 || (HWY_ARCH_X86 && static_cast<Isa>(isa) >= Isa::kAvx2);
    const double allowed = fused ? bound.ulps : bound.plain_ulps;
    bound.versions[isa](x.data(), y.data(), static_cast<int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = std::abs(static_cast<double>(y[i]) - expected[i]);
      ASSERT_TRUE(error <= bound.absolute || Ulps(y[i], expected[i]) <= allowed)
          << "instruction set " << isa << ", x " << x[i] << ": " << y[i] << ", expected " << expected[i] << ", apart "
          << Ulps(y[i], expected[i]) << " ULP, relative " << error / std::abs(expected[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, ApproximationTest, testing::ValuesIn(kBounds),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(VectorMathTest, LimitsAndNan) {
  EXPECT_EQ(Erf(kInfinity), 1.0F);
  EXPECT_TRUE(std::isnan(Erf(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(Exp(0.0F), 1.0F);
  EXPECT_EQ(Exp(kInfinity), kInfinity);
  EXPECT_EQ(Exp(89.0F), kInfinity);
  EXPECT_EQ(Exp(-kInfinity), 0.0F);
  EXPECT_EQ(Tanh(kInfinity), 1.0F);
  EXPECT_EQ(Tanh(-kInfinity), -1.0F);
  EXPECT_EQ(Sigmoid(-kInfinity), 0.0F);
  EXPECT_EQ(Sigmoid(kInfinity), 1.0F);
  EXPECT_TRUE(std::isnan(Exp(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(Tanh(std::numeric_limits<float>::quiet_NaN())));
}

TEST(VectorMathTest, ErfIsOdd) {
  for (float x = 1e-30F; x < 5.0F; x *= 1.001F) ASSERT_EQ(Erf(-x), -Erf(x)) << x;
}

/// Returns the value of a function by each instruction set.
std::vector<float> ValuesAt(const Evaluate* versions, float x) {
  std::vector<float> values;
  for (int isa = 0; isa <= static_cast<int>(UsedIsa()); ++isa) {
    if (versions[isa] == nullptr) continue;
    values.push_back(0);
    versions[isa](&x, &values.back(), 1);
  }
  return values;
}

TEST(VectorFunctionsTest, NanStaysNan) {
  for (const Bound& bound : kBounds) {
    for (const float value : ValuesAt(bound.versions, kNan)) EXPECT_TRUE(std::isnan(value)) << bound.name;
  }
}

TEST(VectorFunctionsTest, ExactValues) {
  for (const float value : ValuesAt(EvaluateExpOfTable, 0)) EXPECT_EQ(value, 1);
  for (const float value : ValuesAt(EvaluateSigmoidOfTable, kInfinity)) EXPECT_EQ(value, 1);
  for (const Evaluate* versions : {EvaluateSiluOfTable, EvaluateMishOfTable, EvaluateGeluOfTable,
                                   EvaluateGeluTanhOfTable, EvaluateGeluForBytesTable, EvaluateSiluForBytesTable}) {
    for (const float value : ValuesAt(versions, 0)) EXPECT_EQ(value, 0);
    for (const float value : ValuesAt(versions, kInfinity)) EXPECT_EQ(value, kInfinity);
    for (const float value : ValuesAt(versions, 100)) EXPECT_EQ(value, 100);
  }
}

TEST(VectorFunctionsTest, GeluForBytesIsXAboveFourAndZeroBelow) {
  for (const float x : {4.0F, 5.0F, 1000.0F, 1e30F}) {
    for (const float value : ValuesAt(EvaluateGeluForBytesTable, x)) EXPECT_EQ(value, x);
    for (const float value : ValuesAt(EvaluateGeluForBytesTable, -x)) EXPECT_EQ(value, 0);
  }
}

/// The functions for bytes consist of operations that all CPUs with fused multiply-adds round alike.
TEST(VectorFunctionsTest, FunctionsForBytesAreTheSameBitsOnAllInstructionSets) {
  if (UsedIsa() < Isa::kAvx512) GTEST_SKIP() << "this CPU, or KUIPER_ISA, has one instruction set of this kind";
  const std::vector<float> x = DenseInputs(-1e4F, 1e4F, 3989);
  const auto count = static_cast<int64_t>(x.size());
  for (const Evaluate* versions : {EvaluateGeluForBytesTable, EvaluateSiluForBytesTable}) {
    const Evaluate avx2 = versions[static_cast<int>(Isa::kAvx2)];
    const Evaluate avx512 = versions[static_cast<int>(Isa::kAvx512)];
    if (avx2 == nullptr || avx512 == nullptr) GTEST_SKIP() << "built for one instruction set of this kind";
    std::vector<float> narrow(x.size());
    std::vector<float> wide(x.size());
    avx2(x.data(), narrow.data(), count);
    avx512(x.data(), wide.data(), count);
    const auto [at, other] = std::mismatch(narrow.begin(), narrow.end(), wide.begin());
    ASSERT_EQ(at, narrow.end()) << "x " << x[static_cast<std::size_t>(at - narrow.begin())] << ": " << *at << " and "
                                << *other;
  }
}

/// The arguments of their exponentials are limited. Far below zero the result is therefore a tiny share of x instead of
/// zero.
TEST(VectorFunctionsTest, FarBelowZeroATinyShareOfXIsLeft) {
  for (const float x : {-88.0F, -1000.0F, -1e20F, -3e38F}) {
    for (const float value : ValuesAt(EvaluateSigmoidOfTable, x)) EXPECT_NEAR(value, 0, 2e-38);
    for (const float value : ValuesAt(EvaluateSiluOfTable, x)) EXPECT_NEAR(value, 0, -x * 2e-38);
    for (const float value : ValuesAt(EvaluateMishOfTable, x)) EXPECT_NEAR(value, 0, -x * 2e-38);
    for (const float value : ValuesAt(EvaluateGeluTanhOfTable, x)) EXPECT_NEAR(value, 0, -x * 2e-38);
    for (const float value : ValuesAt(EvaluateGeluOfTable, x)) EXPECT_NEAR(value, 0, 3e-10);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
#endif
