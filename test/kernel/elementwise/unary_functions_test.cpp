// SPDX-License-Identifier: MIT
// The table of unary functions against their definitions, computed in long double.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/guarded_array.hpp"

namespace kuiper_infer::kernel {
namespace {

using Wide = long double;

/// A function's definition and its tolerance: `ulps` last places of the true value. If the definition subtracts numbers
/// as large as x, the last place of the larger one of x and the value counts.
struct FunctionTwin {
  const char* name;
  Wide (*definition)(Wide x, const double* p);
  double float_ulps;
  double double_ulps;
  bool cancels = false;
  std::vector<double> parameters{0, 0};
  double low = -20;  ///< the arguments, beside zeros and NaN
  double high = 20;
};

Wide Clip(Wide x, Wide low, Wide high) { return x < low ? low : (x > high ? high : x); }
Wide SigmoidOf(Wide x) { return 1 / (1 + std::exp(-x)); }
Wide SoftplusOf(Wide x) { return std::log1p(std::exp(x)); }

#define KUIPER_DEFINITION(EXPRESSION) \
  [](Wide x, [[maybe_unused]] const double* p) -> Wide { return static_cast<Wide>(EXPRESSION); }

/// Exact functions come first, then those of one rounding and of two. The bounds of the approximated functions are
/// those that docs/numerics.md gives for CPUs without fused multiply-adds. All other functions are the standard
/// library's, whose errors stay below 4 last places.
const FunctionTwin kTwins[] = {
    {"abs", KUIPER_DEFINITION(x < 0 ? -x : x), 0, 0},
    {"neg", KUIPER_DEFINITION(-x), 0, 0},
    {"positive", KUIPER_DEFINITION(x), 0, 0},
    {"conj", KUIPER_DEFINITION(x), 0, 0},
    {"sign", KUIPER_DEFINITION((x > 0) - (x < 0)), 0, 0},
    {"ceil", KUIPER_DEFINITION(std::ceil(x)), 0, 0},
    {"floor", KUIPER_DEFINITION(std::floor(x)), 0, 0},
    {"trunc", KUIPER_DEFINITION(x < 0 ? std::ceil(x) : std::floor(x)), 0, 0},
    {"round", KUIPER_DEFINITION(std::rint(x)), 0, 0},
    {"frac", KUIPER_DEFINITION(std::fmod(x, 1)), 0, 0},
    {"relu", KUIPER_DEFINITION(x < 0 ? 0 : x), 0, 0},
    {"relu6", KUIPER_DEFINITION(Clip(x, 0, 6)), 0, 0},
    {"clamp", KUIPER_DEFINITION(Clip(x, p[0], p[1])), 0, 0, false, {-1.5, 7.25}},
    {"threshold", KUIPER_DEFINITION(x <= p[0] ? p[1] : x), 0, 0, false, {0.5, -3}},
    {"hardshrink", KUIPER_DEFINITION(x >= -p[0] && x <= p[0] ? 0 : x), 0, 0, false, {0.5, 0}},
    {"sqrt", KUIPER_DEFINITION(std::sqrt(x)), 0.5, 0.5, false, {0, 0}, 0, 1e6},
    {"square", KUIPER_DEFINITION(x* x), 0.5, 0.5},
    {"reciprocal", KUIPER_DEFINITION(1 / x), 0.5, 0.5},
    {"softshrink", KUIPER_DEFINITION(x > p[0] ? x - p[0] : (x < -p[0] ? x + p[0] : 0)), 0.5, 0.5, false, {0.5, 0}},
    {"leaky_relu", KUIPER_DEFINITION(x > 0 ? x : p[0] * x), 0.5, 0.5, false, {0.125, 0}},
    {"cube", KUIPER_DEFINITION(x* x* x), 2, 2},
    {"rsqrt", KUIPER_DEFINITION(1 / std::sqrt(x)), 2, 2, false, {0, 0}, 0, 1e6},
    {"softsign", KUIPER_DEFINITION(x / (1 + (x < 0 ? -x : x))), 2, 2},
    {"acos", KUIPER_DEFINITION(std::acos(x)), 4, 4, false, {0, 0}, -1.1, 1.1},
    {"acosh", KUIPER_DEFINITION(std::acosh(x)), 4, 4, false, {0, 0}, 0.9, 1e6},
    {"asin", KUIPER_DEFINITION(std::asin(x)), 4, 4, false, {0, 0}, -1.1, 1.1},
    {"asinh", KUIPER_DEFINITION(std::asinh(x)), 4, 4},
    {"atan", KUIPER_DEFINITION(std::atan(x)), 4, 4},
    {"atanh", KUIPER_DEFINITION(std::atanh(x)), 4, 4, false, {0, 0}, -1.1, 1.1},
    {"cos", KUIPER_DEFINITION(std::cos(x)), 4, 4},
    {"cosh", KUIPER_DEFINITION(std::cosh(x)), 4, 4},
    {"sin", KUIPER_DEFINITION(std::sin(x)), 4, 4},
    {"sinh", KUIPER_DEFINITION(std::sinh(x)), 4, 4},
    {"tan", KUIPER_DEFINITION(std::tan(x)), 4, 4},
    {"erfc", KUIPER_DEFINITION(std::erfc(x)), 8, 8, false, {0, 0}, -9, 9},
    {"exp2", KUIPER_DEFINITION(std::exp2(x)), 4, 4},
    {"expm1", KUIPER_DEFINITION(std::expm1(x)), 4, 4},
    {"log", KUIPER_DEFINITION(std::log(x)), 4, 4, false, {0, 0}, -1, 1e6},
    {"log10", KUIPER_DEFINITION(std::log10(x)), 4, 4, false, {0, 0}, -1, 1e6},
    {"log1p", KUIPER_DEFINITION(std::log1p(x)), 4, 4, false, {0, 0}, -2, 1e6},
    {"log2", KUIPER_DEFINITION(std::log2(x)), 4, 4, false, {0, 0}, -1, 1e6},
    {"lgamma", KUIPER_DEFINITION(std::lgamma(x)), 8, 8, true, {0, 0}, 0, 1e6},
    {"tanh", KUIPER_DEFINITION(std::tanh(x)), 3, 4},
    {"erf", KUIPER_DEFINITION(std::erf(x)), 2, 4},
    {"exp", KUIPER_DEFINITION(std::exp(x)), 1.1, 4, false, {0, 0}, -120, 120},
    {"sigmoid", KUIPER_DEFINITION(SigmoidOf(x)), 64, 4},
    {"silu", KUIPER_DEFINITION(x* SigmoidOf(x)), 64, 4},
    {"hardsigmoid", KUIPER_DEFINITION(Clip(x + 3, 0, 6) / 6), 4, 4, true},
    {"hardswish", KUIPER_DEFINITION(x* Clip(x + 3, 0, 6) / 6), 8, 8, true},
    {"gelu", KUIPER_DEFINITION(x / 2 * std::erfc(-x / std::sqrt(Wide(2)))), 4, 4, true},
    {"gelu_tanh",
     KUIPER_DEFINITION(x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(Wide(-1))) * (x + Wide(0.044715) * x * x * x)))),
     6, 4, true},
    {"mish", KUIPER_DEFINITION(x* std::tanh(SoftplusOf(x))), 6, 4},
    {"selu", KUIPER_DEFINITION(Wide(1.0507009873554804934) * (x > 0 ? x : Wide(1.6732632423543772848) * std::expm1(x))),
     4, 4},
    {"tanhshrink", KUIPER_DEFINITION(x - std::tanh(x)), 4, 4, true},
    {"logsigmoid", KUIPER_DEFINITION(-SoftplusOf(-x)), 4, 4},
    {"elu", KUIPER_DEFINITION(x > 0 ? x : p[0] * std::expm1(x)), 4, 4, false, {1.5, 0}},
    {"celu", KUIPER_DEFINITION(x > 0 ? x : p[0] * std::expm1(x / p[0])), 4, 4, false, {1.5, 0}},
    {"softplus", KUIPER_DEFINITION(x* p[0] > p[1] ? x : SoftplusOf(x * p[0]) / p[0]), 4, 4, false, {0.5, 8}},
};
#undef KUIPER_DEFINITION

void PrintTo(const FunctionTwin& twin, std::ostream* stream) { *stream << twin.name; }

/// Returns arguments of all magnitudes within the function's limits, both zeros, small whole numbers and NaN, in random
/// order.
template <class T>
std::vector<T> Arguments(const FunctionTwin& twin, uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<T> arguments{T(0), T(-0.0), std::numeric_limits<T>::quiet_NaN()};
  for (int i = -9; i <= 9; ++i) arguments.push_back(static_cast<T>(i) / 2);
  std::uniform_real_distribution<double> uniform(twin.low, twin.high);
  std::uniform_real_distribution<double> exponent(-25, std::log10(std::max(twin.high, 1.0)));
  for (int i = 0; i < 4000; ++i) {
    arguments.push_back(static_cast<T>(uniform(generator)));
    arguments.push_back(static_cast<T>(std::pow(10, exponent(generator)) * (i % 2 == 0 ? 1 : -1)));
  }
  const auto outside = [&](T x) { return x < twin.low || x > twin.high; };
  arguments.erase(std::remove_if(arguments.begin(), arguments.end(), outside), arguments.end());
  std::shuffle(arguments.begin(), arguments.end(), generator);
  return arguments;
}

/// Returns the last place of a number of type T.
template <class T>
Wide LastPlace(Wide number) {
  const T magnitude = static_cast<T>(std::abs(number));
  return static_cast<Wide>(std::nextafter(magnitude, std::numeric_limits<T>::infinity())) - magnitude;
}

template <class T>
void ExpectNear(const FunctionTwin& twin, T x, T found) {
  std::vector<double> parameters = twin.parameters;
  const Wide exact = twin.definition(x, parameters.data());
  const T expected = static_cast<T>(exact);
  if (x != x && std::string(twin.name) != "sign") {
    ASSERT_TRUE(found != found) << twin.name << " of NaN: " << found;
    return;
  }
  if (SameNumber(found, expected) || found == expected) return;
  const Wide scale = twin.cancels ? std::max<Wide>(std::abs(exact), std::max<Wide>(std::abs(x), 1)) : std::abs(exact);
  const Wide allowed = (sizeof(T) == 4 ? twin.float_ulps : twin.double_ulps) * LastPlace<T>(scale);
  ASSERT_LE(std::abs(static_cast<Wide>(found) - exact), allowed)
      << twin.name << " of " << x << ": " << found << ", expected " << expected;
}

/// Checks blocks of every length around vector widths, out of place and in place.
template <class T>
void Check(const FunctionTwin& twin, UnaryBlock<T> block) {
  constexpr uint32_t kSeed = 23;
  SCOPED_TRACE(std::string(twin.name) + (sizeof(T) == 4 ? " of floats" : " of doubles") + ", seed " +
               std::to_string(kSeed));
  ASSERT_NE(block, nullptr);
  const std::vector<T> x = Arguments<T>(twin, kSeed);
  int64_t done = 0;
  for (int64_t length = 0; done < static_cast<int64_t>(x.size()); length = length < 70 ? length + 1 : 512) {
    const int64_t count = std::min(length, static_cast<int64_t>(x.size()) - done);
    GuardedArray<T> apart(count);
    block(x.data() + done, apart.data(), count, twin.parameters.data());
    GuardedArray<T> in_place(count);
    std::copy_n(x.data() + done, count, in_place.data());
    block(in_place.data(), in_place.data(), count, twin.parameters.data());
    for (int64_t i = 0; i < count; ++i) {
      ExpectNear(twin, x[done + i], apart[i]);
      if (testing::Test::HasFatalFailure()) return;
      ASSERT_TRUE(SameNumber(in_place[i], apart[i])) << twin.name << " in place of " << x[done + i];
    }
    ASSERT_TRUE(apart.intact() && in_place.intact());
    done += count;
  }
}

class UnaryFunctionTest : public testing::TestWithParam<FunctionTwin> {};

TEST_P(UnaryFunctionTest, IsNearItsDefinition) {
  const UnaryFunction* function = FindUnary(GetParam().name);
  ASSERT_NE(function, nullptr);
  Check<float>(GetParam(), function->f32);
  Check<double>(GetParam(), function->f64);
}

/// Rows with and without gaps between them give the results of one block.
TEST_P(UnaryFunctionTest, RowsEqualBlocks) {
  const UnaryFunction* function = FindUnary(GetParam().name);
  if (function->f32_rows == nullptr) return;
  const std::vector<float> x = Arguments<float>(GetParam(), 5);
  for (const int64_t count : {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65}) {
    for (const int64_t gap : {0, 1, 5}) {
      constexpr int64_t kRows = 3;
      GuardedArray<float> found(kRows * (count + gap));
      std::vector<float> expected(x.begin(), x.begin() + found.size());
      std::copy(expected.begin(), expected.end(), found.data());
      function->f32_rows(found.data(), kRows, count, count + gap);
      for (int64_t row = 0; row < kRows; ++row) {
        float* const begin = expected.data() + row * (count + gap);
        function->f32(begin, begin, count, nullptr);
      }
      for (int64_t i = 0; i < found.size(); ++i) ASSERT_TRUE(SameNumber(found[i], expected[i])) << "element " << i;
      EXPECT_TRUE(found.intact());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, UnaryFunctionTest, testing::ValuesIn(kTwins),
                         [](const auto& info) { return std::string(info.param.name); });

/// The functions of integers, whose arithmetic wraps.
struct IntegerTwin {
  const char* name;
  int64_t (*definition)(int64_t x);
};

constexpr double kIntegerParameters[] = {-2, 5};

const IntegerTwin kIntegerTwins[] = {
    {"abs", [](int64_t x) { return x < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(x)) : x; }},
    {"neg", [](int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }},
    {"positive", [](int64_t x) { return x; }},
    {"square", [](int64_t x) { return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x)); }},
    {"sign", [](int64_t x) -> int64_t { return x > 0 ? 1 : (x < 0 ? -1 : 0); }},
    {"ceil", [](int64_t x) { return x; }},
    {"floor", [](int64_t x) { return x; }},
    {"trunc", [](int64_t x) { return x; }},
    {"round", [](int64_t x) { return x; }},
    {"logical_not", [](int64_t x) -> int64_t { return x == 0 ? 1 : 0; }},
    {"bitwise_not", [](int64_t x) { return -1 - x; }},
    {"relu", [](int64_t x) { return x < 0 ? 0 : x; }},
    {"relu6", [](int64_t x) -> int64_t { return x < 0 ? 0 : (x > 6 ? 6 : x); }},
    {"clamp", [](int64_t x) -> int64_t { return x < -2 ? -2 : (x > 5 ? 5 : x); }},
    {"threshold", [](int64_t x) -> int64_t { return x <= -2 ? 5 : x; }},
};

TEST(UnaryFunctionTest, IntegersEqualTheirDefinition) {
  std::vector<int64_t> x{INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, int64_t{1} << 40};
  for (int64_t i = -70; i <= 70; ++i) x.push_back(i);
  const auto count = static_cast<int64_t>(x.size());
  for (const IntegerTwin& twin : kIntegerTwins) {
    const UnaryFunction* function = FindUnary(twin.name);
    ASSERT_TRUE(function != nullptr && function->i64 != nullptr) << twin.name;
    GuardedArray<int64_t> found(count);
    function->i64(x.data(), found.data(), count, kIntegerParameters);
    for (int64_t i = 0; i < count; ++i) EXPECT_EQ(found[i], twin.definition(x[i])) << twin.name << " of " << x[i];
    EXPECT_TRUE(found.intact());
  }
}

TEST(UnaryFunctionTest, BoundsSayWhatALimitingFunctionDoes) {
  constexpr double kParameters[] = {-1.5, 7.25};
  for (const char* name : {"relu", "relu6", "clamp"}) {
    const UnaryFunction* function = FindUnary(name);
    ASSERT_NE(function->bounds, nullptr) << name;
    const ActivationBounds bounds = function->bounds(kParameters);
    for (float x = -20; x < 20; x += 0.125F) {
      float y = 0;
      function->f32(&x, &y, 1, kParameters);
      EXPECT_EQ(y, std::min<double>(std::max<double>(x, bounds.least), bounds.most)) << name << " of " << x;
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
