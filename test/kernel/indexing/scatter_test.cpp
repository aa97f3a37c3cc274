// SPDX-License-Identifier: MIT
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "kernel/indexing/index_problem.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

class ScatterTest : public testing::TestWithParam<IndexProblem> {};

/// Computes integers modulo 2^bits, and bools by "or" and "and".
template <class T>
T Add(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <class T>
T Multiply(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return a * b;
}

template <class T>
T Scattered(ScatterKind kind, T old, T given) {
  if (kind == ScatterKind::kAssign) return given;
  if (kind == ScatterKind::kAdd) return Add(old, given);
  if (kind == ScatterKind::kMultiply) return Multiply(old, given);
  if (old != old || given != given) return old != old ? old : given;
  return (kind == ScatterKind::kMax) == (given > old) ? given : old;
}

/// Returns numbers whose sums and products are exact: small multiples of 1/2, and powers of two for products; sometimes
/// an infinity or NaN, or an integer's limit.
template <class T>
T ScatterElement(ScatterKind kind, std::mt19937& generator) {
  using Limits = std::numeric_limits<T>;
  const auto special = generator() % 40;
  if constexpr (std::is_same_v<T, bool>) {
    return special % 2 == 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (special == 0) return Limits::max();
    if (special == 1) return Limits::min();
    return static_cast<T>(static_cast<int>(generator() % 19) - (Limits::is_signed ? 9 : 0));
  } else {
    if (special == 0) return Limits::infinity();
    if (special == 1) return -Limits::infinity();
    if (special == 2) return Limits::quiet_NaN();
    if (kind == ScatterKind::kMultiply) return T(generator() % 2 == 0 ? 1 : -1) * T(special % 2 == 0 ? 0.5 : 2);
    return static_cast<T>(static_cast<int>(generator() % 19) - 9) / 2;
  }
}

/// output[..., index[n], ...] = kind(itself, alpha * source[..., n, ...]), one source after the other in row-major
/// order (PyTorch's scatter, scatter_reduce and index_add).
template <class T>
void CheckScatter(const IndexProblem& problem, RuntimeDataType type, ScatterKind kind, double alpha) {
  SCOPED_TRACE(std::string(TypeName(type)) + ", kind " + std::to_string(static_cast<int>(kind)));
  std::mt19937 generator(problem.seed + 2000);
  const StridedArray<int64_t> index = IndexNumbers(problem, generator);
  StridedArray<T> source(problem.index, Layout::kRepeated, generator);
  source.Fill([&] { return ScatterElement<T>(kind, generator); });
  StridedArray<T> found(problem.array, Layout::kAny, generator);
  found.Fill([&] { return ScatterElement<T>(kind, generator); });
  StridedArray<T> expected = found;
  const Strides numbers = IndexStrides(problem, index);
  // A negative factor of an unsigned type wraps, as PyTorch's does.
  T factor;
  if constexpr (std::is_integral_v<T>) {
    factor = static_cast<T>(static_cast<int64_t>(alpha));
  } else {
    factor = static_cast<T>(alpha);
  }
  const std::vector<int64_t> faults =
      ForEachNumber(problem, index.data(), numbers, [&](const auto& at, const auto& place) {
        const T given = kind == ScatterKind::kAssign ? source.At(at) : Multiply(factor, source.At(at));
        expected.At(place) = Scattered(kind, expected.At(place), given);
      });
  const ScatterLoop loop(problem.index, {numbers, source.strides(), WithoutAxis(found.strides(), problem.axis)});
  const IndexedAxis axis{problem.array[problem.axis], found.strides()[problem.axis], problem.from_end};
  ExpectOneOf(faults, Scatter(kind, loop, axis, type, alpha, index.data(), source.data(), found.data()));
  for (int64_t i = 0; i < expected.memory_size(); ++i) {
    ASSERT_TRUE(SameNumber(found.memory(i), expected.memory(i)))
        << "place " << i << " in memory: " << Shown(found.memory(i)) << ", expected " << Shown(expected.memory(i));
  }
}

TEST_P(ScatterTest, ScatterEqualsItsDefinition) {
  const IndexProblem& problem = GetParam();
  SCOPED_TRACE(Text(problem));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    for (const ScatterKind kind :
         {ScatterKind::kAssign, ScatterKind::kAdd, ScatterKind::kMultiply, ScatterKind::kMax, ScatterKind::kMin}) {
      const double alpha = kind == ScatterKind::kAdd ? (problem.seed % 2 == 0 ? -2 : 3) : 1;
      CheckScatter<float>(problem, RuntimeDataType::kTypeFloat32, kind, kind == ScatterKind::kAdd ? alpha / 4 : alpha);
      CheckScatter<double>(problem, RuntimeDataType::kTypeFloat64, kind, kind == ScatterKind::kAdd ? alpha / 4 : alpha);
      CheckScatter<int64_t>(problem, RuntimeDataType::kTypeInt64, kind, alpha);
      CheckScatter<int32_t>(problem, RuntimeDataType::kTypeInt32, kind, alpha);
      CheckScatter<int16_t>(problem, RuntimeDataType::kTypeInt16, kind, alpha);
      CheckScatter<int8_t>(problem, RuntimeDataType::kTypeInt8, kind, alpha);
      CheckScatter<uint8_t>(problem, RuntimeDataType::kTypeUInt8, kind, alpha);
      CheckScatter<bool>(problem, RuntimeDataType::kTypeBool, kind, 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, ScatterTest, testing::ValuesIn(IndexProblems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

/// Returns the quotient rounded down, by repeated subtraction. C++ would round towards zero.
int64_t FloorQuotient(int64_t value, int64_t count) {
  int64_t quotient = 0;
  for (; value < 0; value += count) --quotient;
  for (; value >= count; value -= count) ++quotient;
  return quotient;
}

template <class T>
void CheckDivision(RuntimeDataType type) {
  SCOPED_TRACE(TypeName(type));
  std::vector<int64_t> counts;
  std::vector<T> expected;
  GuardedArray<T> found(23 * 5);
  for (int64_t count = 0; count < 5; ++count) {
    for (int64_t value = -11; value <= 11; ++value) {
      const T element = static_cast<T>(std::is_unsigned_v<T> ? value + 11 : value);
      found.data()[counts.size()] = element;
      counts.push_back(count);
      if (count <= 1) {
        expected.push_back(element);
      } else if (std::is_integral_v<T>) {
        expected.push_back(static_cast<T>(FloorQuotient(static_cast<int64_t>(element), count)));
      } else {
        expected.push_back(element / static_cast<T>(count));
      }
    }
  }
  DivideByCounts(type, found.size(), counts.data(), found.data());
  for (int64_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]) << "element " << i;
  EXPECT_TRUE(found.intact());
}

TEST(DivideByCountsTest, RoundsIntegersDown) {
  CheckDivision<float>(RuntimeDataType::kTypeFloat32);
  CheckDivision<double>(RuntimeDataType::kTypeFloat64);
  CheckDivision<int64_t>(RuntimeDataType::kTypeInt64);
  CheckDivision<int32_t>(RuntimeDataType::kTypeInt32);
  CheckDivision<int16_t>(RuntimeDataType::kTypeInt16);
  CheckDivision<int8_t>(RuntimeDataType::kTypeInt8);
  CheckDivision<uint8_t>(RuntimeDataType::kTypeUInt8);
}

}  // namespace
}  // namespace kuiper_infer::kernel
