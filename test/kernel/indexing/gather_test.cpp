// SPDX-License-Identifier: MIT
#include "kernel/indexing/gather.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "kernel/strided_array.hpp"
#include "utils/dispatch.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// An array, one of its axes, and index numbers along it in an array of their own shape: that of the result, of which
/// every other axis is at most as long as the array's.
struct IndexProblem {
  uint32_t seed = 0;
  Shape array;
  Shape index;
  std::size_t axis = 0;
  bool from_end = false;
  bool faulty = false;    ///< some numbers are out of range
  bool repeated = false;  ///< one number serves all elements along the other axes (index_select)
};

std::string Text(const IndexProblem& problem) {
  return "seed " + std::to_string(problem.seed) + ", array " + ShapeString(problem.array) + ", index " +
         ShapeString(problem.index) + " along axis " + std::to_string(problem.axis) +
         (problem.from_end ? ", from the end" : "") + (problem.faulty ? ", faulty" : "") +
         (problem.repeated ? ", repeated" : "");
}

void PrintTo(const IndexProblem& problem, std::ostream* stream) { *stream << Text(problem); }

IndexProblem RandomProblem(uint32_t seed) {
  std::mt19937 generator(seed);
  IndexProblem problem;
  problem.seed = seed;
  while (problem.index.empty()) problem.index = RandomShape(generator);
  problem.axis = generator() % problem.index.size();
  problem.array = problem.index;
  for (int64_t& extent : problem.array) extent += static_cast<int64_t>(generator() % 3);
  problem.array[problem.axis] = 1 + static_cast<int64_t>(generator() % 20);
  problem.from_end = generator() % 2 == 0;
  problem.faulty = generator() % 4 == 0;
  problem.repeated = generator() % 3 == 0;
  return problem;
}

std::vector<IndexProblem> Problems() {
  std::vector<IndexProblem> problems;
  for (uint32_t seed = 0; seed < 150; ++seed) problems.push_back(RandomProblem(seed));
  // Work for several threads: rows, one number a row, one long row; and no element at all to index.
  problems.push_back({150, {20, 300}, {110, 300}, 0});
  problems.push_back({151, {20, 300}, {110, 300}, 0, true, false, true});
  problems.push_back({152, {33}, {40009}, 0, true, true});
  problems.push_back({153, {0, 4}, {3, 4}, 0, true, true});
  return problems;
}

/// Index numbers for a problem; if it is faulty, one of five or so is out of range.
StridedArray<int64_t> IndexNumbers(const IndexProblem& problem, std::mt19937& generator) {
  StridedArray<int64_t> index(problem.index, Layout::kRepeated, generator);
  const int64_t extent = problem.array[problem.axis];
  const int64_t faults[] = {extent, problem.from_end ? -extent - 1 : -1, std::numeric_limits<int64_t>::max(),
                            std::numeric_limits<int64_t>::min()};
  index.Fill([&]() -> int64_t {
    if (extent == 0 || (problem.faulty && generator() % 5 == 0)) return faults[generator() % 4];
    const auto position = static_cast<int64_t>(generator() % static_cast<uint64_t>(extent));
    return problem.from_end && generator() % 2 == 0 ? position - extent : position;
  });
  return index;
}

/// The strides of the index numbers; along all axes but the indexed one they are 0 if one number serves them all.
Strides IndexStrides(const IndexProblem& problem, const StridedArray<int64_t>& index) {
  Strides strides = index.strides();
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (problem.repeated && axis != problem.axis) strides[axis] = 0;
  }
  return strides;
}

Strides WithoutAxis(Strides strides, std::size_t axis) {
  strides[axis] = 0;
  return strides;
}

/// The element that an index number stands for, or -1 if it is out of range.
int64_t PositionOf(const IndexProblem& problem, int64_t number) {
  const int64_t extent = problem.array[problem.axis];
  if (number >= 0) return number < extent ? number : -1;
  return problem.from_end && number >= -extent ? number + extent : -1;
}

/// Walks over the numbers: body(index of the result, number, index in the array), or keeps the number as a fault.
template <class Body>
std::vector<int64_t> ForEachNumber(const IndexProblem& problem, const int64_t* numbers, const Strides& strides,
                                   const Body& body) {
  std::vector<int64_t> faults;
  ForEachIndex(problem.index, [&](const std::vector<int64_t>& at) {
    const int64_t number = numbers[OffsetOf(at, strides)];
    std::vector<int64_t> place = at;
    place[problem.axis] = PositionOf(problem, number);
    if (place[problem.axis] < 0) {
      faults.push_back(number);
    } else {
      body(at, place);
    }
  });
  return faults;
}

void ExpectOneOf(const std::vector<int64_t>& faults, const std::optional<IndexFault>& found) {
  ASSERT_EQ(found.has_value(), !faults.empty());
  if (found) {
    EXPECT_NE(std::find(faults.begin(), faults.end(), found->number), faults.end()) << found->number;
  }
}

template <class T>
void ExpectSameMemory(const StridedArray<T>& found, const StridedArray<T>& expected) {
  for (int64_t i = 0; i < expected.memory_size(); ++i) {
    ASSERT_EQ(std::memcmp(&found.memory(i), &expected.memory(i), sizeof(T)), 0) << "place " << i << " in memory";
  }
}

/// output[..., n, ...] = input[..., index[..., n, ...], ...] (PyTorch's gather and index_select).
template <class T>
void CheckGather(const IndexProblem& problem, RuntimeDataType type) {
  SCOPED_TRACE(TypeName(type));
  std::mt19937 generator(problem.seed + 1000);
  const StridedArray<int64_t> index = IndexNumbers(problem, generator);
  StridedArray<T> input(problem.array, Layout::kRepeated, generator);
  unsigned char count = 0;
  input.Fill([&] {
    T value;
    std::memset(&value, ++count, sizeof(T));
    return value;
  });
  StridedArray<T> found(problem.index, Layout::kAny, generator);
  StridedArray<T> expected = found;
  const Strides numbers = IndexStrides(problem, index);
  const std::vector<int64_t> faults = ForEachNumber(
      problem, index.data(), numbers, [&](const auto& at, const auto& place) { expected.At(at) = input.At(place); });
  const GatherLoop loop(problem.index, {numbers, WithoutAxis(input.strides(), problem.axis), found.strides()});
  const IndexedAxis axis{problem.array[problem.axis], input.strides()[problem.axis], problem.from_end};
  ExpectOneOf(faults, Gather(loop, axis, type, index.data(), input.data(), found.data()));
  ExpectSameMemory(found, expected);
}

class IndexTest : public testing::TestWithParam<IndexProblem> {};

TEST_P(IndexTest, GatherEqualsItsDefinition) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    CheckGather<uint8_t>(GetParam(), RuntimeDataType::kTypeBool);
    CheckGather<uint16_t>(GetParam(), RuntimeDataType::kTypeBFloat16);
    CheckGather<uint32_t>(GetParam(), RuntimeDataType::kTypeFloat32);
    CheckGather<uint64_t>(GetParam(), RuntimeDataType::kTypeFloat64);
    CheckGather<Bytes16>(GetParam(), RuntimeDataType::kTypeComplex128);
  }
}

/// Integers modulo 2^bits, bools as "or" and "and".
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

/// Numbers whose sums and products are exact: small halves, and powers of two to multiply. Now and then an infinity or
/// NaN, or an integer's limits.
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

TEST_P(IndexTest, ScatterEqualsItsDefinition) {
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

/// offsets[o] += index[n] * axis.stride.
template <class T>
void CheckOffsets(const IndexProblem& problem, RuntimeDataType type) {
  SCOPED_TRACE(TypeName(type));
  std::mt19937 generator(problem.seed + 3000);
  const int64_t extent = problem.array[problem.axis];
  StridedArray<T> index(problem.index, Layout::kRepeated, generator);
  index.Fill([&] {
    const auto position = static_cast<int64_t>(generator() % static_cast<uint64_t>(extent + (problem.faulty ? 3 : 0)));
    return static_cast<T>(problem.from_end && std::is_signed_v<T> && generator() % 2 == 0 ? position - extent
                                                                                          : position);
  });
  StridedArray<int64_t> found(problem.index, Layout::kAny, generator);
  found.Fill([&] { return static_cast<int64_t>(generator() % 100); });
  StridedArray<int64_t> expected = found;
  constexpr int64_t kStride = -7;
  std::vector<int64_t> faults;
  ForEachIndex(problem.index, [&](const auto& at) {
    const auto number = static_cast<int64_t>(index.At(at));
    const int64_t position = PositionOf(problem, number);
    if (position < 0) {
      faults.push_back(number);
    } else {
      expected.At(at) += position * kStride;
    }
  });
  const RowLoop<2> loop(problem.index, {index.strides(), found.strides()});
  ExpectOneOf(faults, AddOffsets(loop, {extent, kStride, problem.from_end},
                                 {index.data(), TensorSpec(type, problem.index)}, found.data()));
  ExpectSameMemory(found, expected);
}

TEST_P(IndexTest, OffsetsEqualTheirDefinition) {
  if (GetParam().array[GetParam().axis] == 0) return;
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    CheckOffsets<int64_t>(GetParam(), RuntimeDataType::kTypeInt64);
    CheckOffsets<int32_t>(GetParam(), RuntimeDataType::kTypeInt32);
    CheckOffsets<int16_t>(GetParam(), RuntimeDataType::kTypeInt16);
    CheckOffsets<int8_t>(GetParam(), RuntimeDataType::kTypeInt8);
    CheckOffsets<uint8_t>(GetParam(), RuntimeDataType::kTypeUInt8);
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, IndexTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

/// Rounds down, where C++ rounds to zero: the quotient by repeated subtraction.
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
