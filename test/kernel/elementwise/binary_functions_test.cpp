// SPDX-License-Identifier: MIT
// The table of binary functions against their definitions: floating numbers in long double, integers modulo 2^64.
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

bool IsNanNumber(Wide x) { return x != x; }
bool IsZeroOrNan(Wide x) { return x == 0 || x != x; }

/// Python's division: the floor of the quotient, and a remainder with the divisor's sign.
Wide FloorQuotient(Wide a, Wide b) { return std::floor(a / b); }
Wide FloorRest(Wide a, Wide b) {
  const Wide rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// A function of floating numbers: within `ulps` last places of its definition's value.
struct FloatTwin {
  const char* name;
  Wide (*definition)(Wide a, Wide b);
  double ulps;
  bool infinities = true;  ///< whether the definition holds for infinite operands
};

const FloatTwin kFloatTwins[] = {
    {"add", [](Wide a, Wide b) { return a + b; }, 0.5},
    {"sub", [](Wide a, Wide b) { return a - b; }, 0.5},
    {"mul", [](Wide a, Wide b) { return a * b; }, 0.5},
    {"div", [](Wide a, Wide b) { return a / b; }, 0.5},
    {"fmod", [](Wide a, Wide b) { return std::fmod(a, b); }, 0},
    {"remainder", FloorRest, 0.5, false},
    {"floor_divide", FloorQuotient, 0, false},
    {"pow", [](Wide a, Wide b) { return std::pow(a, b); }, 2, false},
    {"atan2", [](Wide a, Wide b) { return std::atan2(a, b); }, 4},
    {"logaddexp", [](Wide a, Wide b) { return std::log(std::exp(a) + std::exp(b)); }, 4},
    {"maximum", [](Wide a, Wide b) { return IsNanNumber(a) || IsNanNumber(b) ? a + b : (a > b ? a : b); }, 0},
    {"minimum", [](Wide a, Wide b) { return IsNanNumber(a) || IsNanNumber(b) ? a + b : (a < b ? a : b); }, 0},
    {"max", [](Wide a, Wide b) { return IsNanNumber(a) || IsNanNumber(b) ? a + b : (a > b ? a : b); }, 0},
    {"min", [](Wide a, Wide b) { return IsNanNumber(a) || IsNanNumber(b) ? a + b : (a < b ? a : b); }, 0},
    {"eq", [](Wide a, Wide b) -> Wide { return a == b; }, 0},
    {"ne", [](Wide a, Wide b) -> Wide { return a != b; }, 0},
    {"lt", [](Wide a, Wide b) -> Wide { return a < b; }, 0},
    {"le", [](Wide a, Wide b) -> Wide { return a <= b; }, 0},
    {"gt", [](Wide a, Wide b) -> Wide { return a > b; }, 0},
    {"ge", [](Wide a, Wide b) -> Wide { return a >= b; }, 0},
    {"logical_and", [](Wide a, Wide b) -> Wide { return a != 0 && b != 0; }, 0},
    {"logical_or", [](Wide a, Wide b) -> Wide { return a != 0 || b != 0; }, 0},
    {"logical_xor", [](Wide a, Wide b) -> Wide { return (a != 0) != (b != 0); }, 0},
};

void PrintTo(const FloatTwin& twin, std::ostream* stream) { *stream << twin.name; }

/// Returns small whole and fractional numbers of both signs, zeros, NaN and, on request, infinities.
template <class T>
T RandomOperand(bool infinities, std::mt19937& generator) {
  const auto kind = generator() % 24;
  if (kind == 0) return std::numeric_limits<T>::quiet_NaN();
  if (kind == 1) return generator() % 2 == 0 ? T(0) : T(-0.0);
  if (kind == 2 && infinities) return std::numeric_limits<T>::infinity();
  if (kind == 3 && infinities) return -std::numeric_limits<T>::infinity();
  if (kind < 12) return static_cast<T>(static_cast<int>(generator() % 13) - 6);
  return std::uniform_real_distribution<T>(-9, 9)(generator);
}

template <class T>
void ExpectNear(const FloatTwin& twin, T a, T b, T found) {
  const Wide exact = twin.definition(a, b);
  const T expected = static_cast<T>(exact);
  if (SameNumber(found, expected) || found == expected) return;
  const T magnitude = std::abs(expected);
  // A result of logaddexp near zero is the logarithm of a sum near 1.
  const T scale = std::string(twin.name) == "logaddexp" ? std::max(magnitude, T(1)) : magnitude;
  const Wide place = static_cast<Wide>(std::nextafter(scale, std::numeric_limits<T>::infinity())) - scale;
  ASSERT_LE(std::abs(static_cast<Wide>(found) - exact), twin.ulps * place)
      << twin.name << " of " << a << " and " << b << ": " << found << ", expected " << expected;
}

template <class T>
void Check(const FloatTwin& twin, BinaryBlock<T> block) {
  constexpr uint32_t kSeed = 29;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  ASSERT_NE(block, nullptr);
  std::mt19937 generator(kSeed);
  for (int64_t count = 0; count < 140; ++count) {
    GuardedArray<T> a(count);
    GuardedArray<T> b(count);
    GuardedArray<T> y(count);
    for (int64_t i = 0; i < count; ++i) {
      do {
        a.data()[i] = RandomOperand<T>(twin.infinities, generator);
        b.data()[i] = RandomOperand<T>(twin.infinities, generator);
        // PyTorch takes the square root for the power 1/2, which differs for negative zero.
      } while (std::string(twin.name) == "pow" && IsZeroOrNan(a[i]) && b[i] == T(0.5));
    }
    block(a.data(), b.data(), y.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      ExpectNear(twin, a[i], b[i], y[i]);
      if (testing::Test::HasFatalFailure()) return;
    }
    block(a.data(), b.data(), a.data(), count);  // in place
    for (int64_t i = 0; i < count; ++i) ASSERT_TRUE(SameNumber(a[i], y[i])) << "in place, element " << i;
    ASSERT_TRUE(a.intact() && b.intact() && y.intact());
  }
}

class BinaryFunctionTest : public testing::TestWithParam<FloatTwin> {};

TEST_P(BinaryFunctionTest, IsNearItsDefinition) {
  const BinaryFunction* function = FindBinary(GetParam().name);
  ASSERT_NE(function, nullptr);
  Check<float>(GetParam(), function->f32);
  Check<double>(GetParam(), function->f64);
}

INSTANTIATE_TEST_SUITE_P(Table, BinaryFunctionTest, testing::ValuesIn(kFloatTwins),
                         [](const auto& info) { return std::string(info.param.name); });

#ifdef __SIZEOF_INT128__  // compilers for CPUs of 32 bits may have no such type

/// Wide enough for the exact result of any two 64-bit integers.
__extension__ using Exact = __int128;

int64_t Wrapped(Exact x) { return static_cast<int64_t>(static_cast<uint64_t>(x)); }

Exact FloorOf(Exact a, Exact b) {
  if (b == 0) return 0;
  const Exact quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Returns a to the power b modulo 2^64. Negative powers are cut to integers: 0 unless a is 1 or -1.
Exact Power(Exact a, Exact b) {
  if (b < 0) return a == 1 ? 1 : (a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
  uint64_t result = 1;
  for (Exact i = 0; i < b; ++i) result *= static_cast<uint64_t>(a);
  return static_cast<int64_t>(result);
}

struct IntegerTwin {
  const char* name;
  Exact (*definition)(Exact a, Exact b);
};

/// A division by zero gives 0, where PyTorch raises an error; a shift by 64 and more leaves the sign.
const IntegerTwin kIntegerTwins[] = {
    {"add", [](Exact a, Exact b) { return a + b; }},
    {"sub", [](Exact a, Exact b) { return a - b; }},
    {"mul", [](Exact a, Exact b) { return a * b; }},
    {"floor_divide", FloorOf},
    {"fmod", [](Exact a, Exact b) { return b == 0 ? 0 : a % b; }},
    {"remainder", [](Exact a, Exact b) { return b == 0 ? 0 : a - FloorOf(a, b) * b; }},
    {"pow", Power},
    {"maximum", [](Exact a, Exact b) { return a > b ? a : b; }},
    {"minimum", [](Exact a, Exact b) { return a < b ? a : b; }},
    {"max", [](Exact a, Exact b) { return a > b ? a : b; }},
    {"min", [](Exact a, Exact b) { return a < b ? a : b; }},
    {"and", [](Exact a, Exact b) { return a & b; }},
    {"or", [](Exact a, Exact b) { return a | b; }},
    {"xor", [](Exact a, Exact b) { return a ^ b; }},
    {"lshift", [](Exact a, Exact b) -> Exact { return b < 0 || b >= 64 ? 0 : a * (Exact(1) << b); }},
    {"rshift",
     [](Exact a, Exact b) -> Exact { return b < 0 || b >= 64 ? (a < 0 ? -1 : 0) : FloorOf(a, Exact(1) << b); }},
    {"eq", [](Exact a, Exact b) -> Exact { return a == b; }},
    {"ne", [](Exact a, Exact b) -> Exact { return a != b; }},
    {"lt", [](Exact a, Exact b) -> Exact { return a < b; }},
    {"le", [](Exact a, Exact b) -> Exact { return a <= b; }},
    {"gt", [](Exact a, Exact b) -> Exact { return a > b; }},
    {"ge", [](Exact a, Exact b) -> Exact { return a >= b; }},
    {"logical_and", [](Exact a, Exact b) -> Exact { return a != 0 && b != 0; }},
    {"logical_or", [](Exact a, Exact b) -> Exact { return a != 0 || b != 0; }},
    {"logical_xor", [](Exact a, Exact b) -> Exact { return (a != 0) != (b != 0); }},
};

TEST(BinaryFunctionTest, IntegersEqualTheirDefinition) {
  std::vector<int64_t> numbers{INT64_MIN,     INT64_MIN + 1,    INT64_MAX,
                               INT64_MAX - 1, int64_t{1} << 32, -(int64_t{1} << 40)};
  for (int64_t i = -9; i <= 9; ++i) numbers.push_back(i);
  for (const int64_t i : {62, 63, 64, 65, 100}) numbers.push_back(i);
  std::vector<int64_t> a;
  std::vector<int64_t> b;
  for (const int64_t left : numbers) {
    for (const int64_t right : numbers) {
      a.push_back(left);
      b.push_back(right);
    }
  }
  const auto count = static_cast<int64_t>(a.size());
  for (const IntegerTwin& twin : kIntegerTwins) {
    const BinaryFunction* function = FindBinary(twin.name);
    ASSERT_TRUE(function != nullptr && function->i64 != nullptr) << twin.name;
    GuardedArray<int64_t> found(count);
    function->i64(a.data(), b.data(), found.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      if (std::string(twin.name) == "pow" && b[i] > 1000) continue;  // the plain loop would not end
      EXPECT_EQ(found[i], Wrapped(twin.definition(a[i], b[i]))) << twin.name << " of " << a[i] << " and " << b[i];
    }
    EXPECT_TRUE(found.intact());
  }
}

#endif  // __SIZEOF_INT128__

}  // namespace
}  // namespace kuiper_infer::kernel
