// SPDX-License-Identifier: MIT
#include "kernel/reduction/scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct ScanProblem {
  uint32_t seed = 0;
  AxisGeometry geometry;
};

std::string Text(const ScanProblem& problem) {
  const auto& [outer, extent, inner] = problem.geometry;
  return "seed" + std::to_string(problem.seed) + "_" + std::to_string(outer) + "x" + std::to_string(extent) + "x" +
         std::to_string(inner);
}

void PrintTo(const ScanProblem& problem, std::ostream* stream) { *stream << Text(problem); }

/// Returns problems with lines around the kernel's blocks of 512 elements.
std::vector<ScanProblem> Problems() {
  constexpr int64_t kInner[] = {1, 2, 3, 7, 8, 9, 16, 17, 511, 512, 513, 1025};
  std::vector<ScanProblem> problems;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 generator(seed);
    const int64_t inner = generator() % 15 == 0 ? 0 : kInner[generator() % 12];
    const auto extent = static_cast<int64_t>(inner < 100 ? generator() % 70 : generator() % 7);
    problems.push_back({seed, {static_cast<int64_t>(generator() % 4), extent, inner}});
  }
  problems.push_back({60, {900, 20, 1}});  // work for several threads
  problems.push_back({61, {3, 9, 2049}});
  return problems;
}

/// How often floating elements are infinite or NaN.
enum class Specials { kNone, kRare };

/// Returns small numbers, many of them equal. Integers are large, so that their sums and products wrap.
template <class T>
std::vector<T> Elements(const ScanProblem& problem, Specials specials) {
  std::mt19937 generator(problem.seed);
  using Limits = std::numeric_limits<T>;
  std::vector<T> values(static_cast<std::size_t>(problem.geometry.size()));
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(generator() % 3 == 0 ? (uint64_t{generator()} << 32 | generator()) : generator() % 5);
    } else {
      value = static_cast<T>(static_cast<int>(generator() % 33) - 16) / 8;
      const auto kind = specials == Specials::kRare ? generator() % 90 : 9;
      if (kind == 0) value = Limits::infinity();
      if (kind == 1) value = -Limits::infinity();
      if (kind == 2) value = Limits::quiet_NaN();
      if (kind == 3) value = T(-0.0);
    }
  }
  return values;
}

std::vector<uint8_t> Bools(const ScanProblem& problem) {
  std::vector<uint8_t> values = Elements<uint8_t>(problem, Specials::kNone);
  for (uint8_t& value : values) value = value % 2;
  return values;
}

/// Calls check(place, elements) for each element of the array, with its place and its line up to and including it.
template <class T, class Check>
void ForEachPrefix(const AxisGeometry& geometry, const std::vector<T>& input, const Check& check) {
  for (int64_t line = 0; line < geometry.outer * geometry.inner; ++line) {
    std::vector<T> prefix;
    for (int64_t k = 0; k < geometry.extent; ++k) {
      const int64_t place = (line / geometry.inner * geometry.extent + k) * geometry.inner + line % geometry.inner;
      prefix.push_back(input[place]);
      check(place, prefix);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Returns the sum or product of a whole prefix, computed in double and rounded once; of integers modulo 2^64.
template <class Out, class T>
Out Fold(Scan scan, const std::vector<T>& prefix) {
  if constexpr (std::is_floating_point_v<T>) {
    double result = scan == Scan::kSum ? 0 : 1;
    for (const T x : prefix) result = scan == Scan::kSum ? result + x : result * x;
    return static_cast<Out>(result);
  } else {
    uint64_t result = scan == Scan::kSum ? 0 : 1;
    for (const T x : prefix) {
      const auto term = static_cast<uint64_t>(static_cast<int64_t>(x));
      result = scan == Scan::kSum ? result + term : result * term;
    }
    return static_cast<Out>(result);
  }
}

template <class T, class Out>
void CheckFold(const ScanProblem& problem, RuntimeDataType type, const std::vector<T>& input) {
  SCOPED_TRACE(TypeName(type));
  const auto& [outer, extent, inner] = problem.geometry;
  const Shape shape{outer, extent, inner};
  for (const Scan scan : {Scan::kSum, Scan::kProduct}) {
    GuardedArray<Out> found(problem.geometry.size());
    ScanAlong(scan, problem.geometry, {input.data(), TensorSpec(type, shape)},
              {found.data(), TensorSpec(kElementType<Out>, shape)});
    ForEachPrefix(problem.geometry, input, [&](int64_t place, const std::vector<T>& prefix) {
      const Out expected = Fold<Out>(scan, prefix);
      ASSERT_TRUE(SameNumber(found[place], expected))
          << (scan == Scan::kSum ? "sum " : "product ") << place << ": " << found[place] << ", expected " << expected;
    });
    EXPECT_TRUE(found.intact());
  }
}

class ScanTest : public testing::TestWithParam<ScanProblem> {
 protected:
  template <class Check>
  void OnOneThreadAndFour(const Check& check) const {
    SCOPED_TRACE(Text(GetParam()));
    for (const int threads : {1, 4}) {
      const ThreadScope scope(threads);
      check(GetParam());
    }
  }
};

TEST_P(ScanTest, SumsAndProductsEqualThoseOfWholePrefixes) {
  OnOneThreadAndFour([](const ScanProblem& problem) {
    for (const Specials specials : {Specials::kNone, Specials::kRare}) {
      CheckFold<float, float>(problem, RuntimeDataType::kTypeFloat32, Elements<float>(problem, specials));
      CheckFold<double, double>(problem, RuntimeDataType::kTypeFloat64, Elements<double>(problem, specials));
    }
    CheckFold<int64_t, int64_t>(problem, RuntimeDataType::kTypeInt64, Elements<int64_t>(problem, Specials::kNone));
    CheckFold<int32_t, int64_t>(problem, RuntimeDataType::kTypeInt32, Elements<int32_t>(problem, Specials::kNone));
    CheckFold<int16_t, int64_t>(problem, RuntimeDataType::kTypeInt16, Elements<int16_t>(problem, Specials::kNone));
    CheckFold<int8_t, int64_t>(problem, RuntimeDataType::kTypeInt8, Elements<int8_t>(problem, Specials::kNone));
    CheckFold<uint8_t, int64_t>(problem, RuntimeDataType::kTypeUInt8, Elements<uint8_t>(problem, Specials::kNone));
    CheckFold<uint8_t, int64_t>(problem, RuntimeDataType::kTypeBool, Bools(problem));
  });
}

/// Returns log(sum of e^x) by its definition, in a type in which the tests' numbers do not overflow.
template <class T>
double LogSumExp(const std::vector<T>& prefix) {
  long double sum = 0;
  for (const T x : prefix) sum += std::exp(static_cast<long double>(x));
  return static_cast<double>(std::log(sum));
}

template <class T>
void CheckLogSumExp(const ScanProblem& problem, RuntimeDataType type, double tolerance) {
  const auto& [outer, extent, inner] = problem.geometry;
  const TensorSpec spec(type, {outer, extent, inner});
  for (const Specials specials : {Specials::kNone, Specials::kRare}) {
    std::vector<T> input = Elements<T>(problem, specials);
    for (T& x : input) x *= 40;
    GuardedArray<T> found(problem.geometry.size());
    ScanAlong(Scan::kLogSumExp, problem.geometry, {input.data(), spec}, {found.data(), spec});
    ForEachPrefix(problem.geometry, input, [&](int64_t place, const std::vector<T>& prefix) {
      const double expected = LogSumExp(prefix);
      if (!std::isfinite(expected)) {
        ASSERT_TRUE(SameNumber<double>(found[place], expected)) << place << ": " << found[place] << ", " << expected;
      } else {
        ASSERT_NEAR(found[place], expected, tolerance * std::max(1.0, std::abs(expected))) << "at " << place;
      }
    });
    EXPECT_TRUE(found.intact());
  }
}

TEST_P(ScanTest, LogSumExpIsNearItsDefinition) {
  OnOneThreadAndFour([](const ScanProblem& problem) {
    CheckLogSumExp<float>(problem, RuntimeDataType::kTypeFloat32, 6e-8);
    CheckLogSumExp<double>(problem, RuntimeDataType::kTypeFloat64, 1e-14);
  });
}

/// Returns the last position of a NaN if there is one, else of the largest (or smallest) element.
template <class T>
int64_t ExtremePosition(bool largest, const std::vector<T>& prefix) {
  int64_t best = 0;
  int64_t nan = -1;
  for (int64_t i = 0; i < static_cast<int64_t>(prefix.size()); ++i) {
    if (prefix[i] != prefix[i]) nan = i;
    if (largest ? prefix[i] >= prefix[best] : prefix[i] <= prefix[best]) best = i;
  }
  return nan >= 0 ? nan : best;
}

template <class T>
void CheckExtreme(const ScanProblem& problem, RuntimeDataType type, const std::vector<T>& input) {
  SCOPED_TRACE(TypeName(type));
  const auto& [outer, extent, inner] = problem.geometry;
  for (const bool largest : {true, false}) {
    GuardedArray<T> values(problem.geometry.size());
    GuardedArray<int64_t> positions(problem.geometry.size());
    ScanExtreme(largest, problem.geometry, {input.data(), TensorSpec(type, {outer, extent, inner})}, values.data(),
                positions.data());
    ForEachPrefix(problem.geometry, input, [&](int64_t place, const std::vector<T>& prefix) {
      const int64_t expected = ExtremePosition(largest, prefix);
      ASSERT_EQ(positions[place], expected) << "at " << place << (largest ? ", largest" : ", smallest");
      ASSERT_TRUE(SameNumber(values[place], prefix[expected])) << "at " << place;
    });
    EXPECT_TRUE(values.intact() && positions.intact());
  }
}

TEST_P(ScanTest, ExtremesEqualThoseOfWholePrefixes) {
  OnOneThreadAndFour([](const ScanProblem& problem) {
    for (const Specials specials : {Specials::kNone, Specials::kRare}) {
      CheckExtreme(problem, RuntimeDataType::kTypeFloat32, Elements<float>(problem, specials));
      CheckExtreme(problem, RuntimeDataType::kTypeFloat64, Elements<double>(problem, specials));
    }
    CheckExtreme(problem, RuntimeDataType::kTypeInt64, Elements<int64_t>(problem, Specials::kNone));
    CheckExtreme(problem, RuntimeDataType::kTypeInt32, Elements<int32_t>(problem, Specials::kNone));
    CheckExtreme(problem, RuntimeDataType::kTypeInt16, Elements<int16_t>(problem, Specials::kNone));
    CheckExtreme(problem, RuntimeDataType::kTypeInt8, Elements<int8_t>(problem, Specials::kNone));
    CheckExtreme(problem, RuntimeDataType::kTypeUInt8, Elements<uint8_t>(problem, Specials::kNone));
    CheckExtreme(problem, RuntimeDataType::kTypeBool, Bools(problem));
  });
}

INSTANTIATE_TEST_SUITE_P(Generated, ScanTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

TEST(ScanTest, SumsOfFloatsKeepTheirPrecision) {
  // If they were added one after the other in float, the small terms would be lost.
  std::vector<float> input(1 << 16, 1e-3F);
  input[0] = 65536.0F;
  std::vector<float> found(input.size());
  const TensorSpec spec(RuntimeDataType::kTypeFloat32, {static_cast<int64_t>(input.size())});
  ScanAlong(Scan::kSum, {1, spec.size(), 1}, {input.data(), spec}, {found.data(), spec});
  EXPECT_FLOAT_EQ(found.back(), 65536.0F + 65.535F);
}

}  // namespace
}  // namespace kuiper_infer::kernel
