// SPDX-License-Identifier: MIT
#include "kernel/sorting/sort.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct SortProblem {
  uint32_t seed = 0;
  AxisGeometry geometry;
};

std::string Text(const SortProblem& problem) {
  const auto& [outer, extent, inner] = problem.geometry;
  return "seed" + std::to_string(problem.seed) + "_" + std::to_string(outer) + "x" + std::to_string(extent) + "x" +
         std::to_string(inner);
}

void PrintTo(const SortProblem& problem, std::ostream* stream) { *stream << Text(problem); }

std::vector<SortProblem> Problems() {
  constexpr int64_t kExtents[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130};
  std::vector<SortProblem> problems;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 generator(seed);
    const auto outer = static_cast<int64_t>(generator() % 4);
    const int64_t extent = kExtents[generator() % 14];
    problems.push_back({seed, {outer, extent, generator() % 12 == 0 ? 0 : kExtents[generator() % 9]}});
  }
  problems.push_back({60, {3, 0, 4}});
  problems.push_back({61, {300, 33, 1}});  // work for several threads
  problems.push_back({62, {2, 40, 201}});
  problems.push_back({63, {1, 700, 1}});
  return problems;
}

/// Returns elements of which many are equal, with both zeros, the type's limits, and infinities and NaNs of floating
/// types.
template <class T>
std::vector<T> Elements(const SortProblem& problem) {
  std::mt19937 generator(problem.seed);
  using Limits = std::numeric_limits<T>;
  std::vector<T> values(static_cast<std::size_t>(problem.geometry.size()));
  const bool special = problem.seed % 2 == 0;
  for (T& value : values) {
    const auto kind = generator() % 12;
    value = static_cast<T>(static_cast<int>(generator() % 19) - (Limits::is_signed ? 9 : 0));
    if (!special) continue;
    if (kind == 0) value = Limits::has_infinity ? Limits::infinity() : Limits::max();
    if (kind == 1) value = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    if (kind == 2 && Limits::has_quiet_NaN) value = Limits::quiet_NaN();
    if (kind == 3) value = Limits::has_infinity ? T(-0.0) : T(0);
  }
  return values;
}

/// std::vector<bool> has no array of bools that kernels could read.
std::vector<uint8_t> Bools(const SortProblem& problem) {
  std::vector<uint8_t> values = Elements<uint8_t>(problem);
  for (uint8_t& value : values) value = value % 2;
  return values;
}

/// Returns line number `line` of an array (outer, extent, inner).
template <class T>
std::vector<T> Line(const AxisGeometry& geometry, const std::vector<T>& values, int64_t line) {
  std::vector<T> elements;
  for (int64_t k = 0; k < geometry.extent; ++k) {
    elements.push_back(values[(line / geometry.inner * geometry.extent + k) * geometry.inner + line % geometry.inner]);
  }
  return elements;
}

template <class T>
bool IsNanValue(T x) {
  return x != x;
}

/// Returns -1, 0 or 1. A NaN is above all numbers and equal to other NaNs.
template <class T>
int Compare(T a, T b) {
  if (IsNanValue(a) || IsNanValue(b)) return static_cast<int>(IsNanValue(a)) - static_cast<int>(IsNanValue(b));
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// Returns the positions of a line's elements in stable order, by insertion sort.
template <class T>
std::vector<int64_t> StableOrder(const std::vector<T>& line, bool descending) {
  std::vector<int64_t> order;
  for (int64_t position = 0; position < static_cast<int64_t>(line.size()); ++position) {
    std::size_t place = order.size();
    while (place > 0) {
      const int comparison = Compare(line[order[place - 1]], line[position]);
      if (descending ? comparison >= 0 : comparison <= 0) break;
      --place;
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), position);
  }
  return order;
}

template <class T>
void CheckSort(const SortProblem& problem, RuntimeDataType type, const std::vector<T>& input) {
  const auto& [outer, extent, inner] = problem.geometry;
  const TensorSpec spec(type, {outer, extent, inner});
  for (const bool descending : {false, true}) {
    std::vector<std::vector<T>> lines;
    std::vector<std::vector<int64_t>> orders;
    for (int64_t line = 0; line < outer * inner; ++line) {
      lines.push_back(Line(problem.geometry, input, line));
      orders.push_back(StableOrder(lines.back(), descending));
    }
    for (const int64_t count : {int64_t{0}, std::min<int64_t>(extent, 1), extent / 2, extent}) {
      SCOPED_TRACE(std::string(TypeName(type)) + (descending ? " descending" : " ascending") + ", the first " +
                   std::to_string(count));
      GuardedArray<T> values(outer * count * inner);
      GuardedArray<int64_t> positions(outer * count * inner);
      GuardedArray<int64_t> scratch(problem.geometry.size());
      SortAlong(descending, problem.geometry, count, {input.data(), spec}, scratch.data(), values.data(),
                positions.data());
      GuardedArray<T> values_alone(values.size());
      SortAlong(descending, problem.geometry, count, {input.data(), spec}, scratch.data(), values_alone.data(),
                nullptr);
      GuardedArray<int64_t> positions_alone(values.size());
      SortAlong(descending, problem.geometry, count, {input.data(), spec}, scratch.data(), nullptr,
                positions_alone.data());
      for (int64_t i = 0; i < values.size(); ++i) {
        const int64_t line = i / (count * inner) * inner + i % inner;
        const int64_t position = orders[line][i / inner % count];
        const T value = lines[line][position];
        ASSERT_EQ(positions[i], position) << "output " << i;
        ASSERT_EQ(positions_alone[i], position) << "output " << i;
        ASSERT_EQ(std::memcmp(&values[i], &value, sizeof(T)), 0) << "output " << i;
        ASSERT_EQ(std::memcmp(&values_alone[i], &value, sizeof(T)), 0) << "output " << i;
      }
      ASSERT_TRUE(values.intact() && positions.intact() && scratch.intact());
      ASSERT_TRUE(values_alone.intact() && positions_alone.intact());
    }
  }
}

/// Returns the position of PickAlong's element by the definitions in the header.
template <class T>
int64_t PickedPosition(Rank rank, int64_t k, const std::vector<T>& line) {
  const auto extent = static_cast<int64_t>(line.size());
  const std::vector<int64_t> order = StableOrder(line, false);
  const int64_t numbers = std::count_if(line.begin(), line.end(), [](T x) { return !IsNanValue(x); });
  if (rank == Rank::kSmallest) return order[k];
  if (rank == Rank::kMedian && numbers == extent) return order[(extent - 1) / 2];
  if (rank == Rank::kNanMedian && numbers > 0) return order[(numbers - 1) / 2];
  if (rank != Rank::kMode) return std::find_if(line.begin(), line.end(), &IsNanValue<T>) - line.begin();
  int64_t best = -1;
  int64_t most = 0;
  for (int64_t i = 0; i < extent; ++i) {
    int64_t last = i;
    int64_t occurrences = 0;
    for (int64_t j = 0; j < extent; ++j) {
      if (Compare(line[i], line[j]) != 0) continue;
      ++occurrences;
      last = j;
    }
    if (occurrences > most || (occurrences == most && Compare(line[i], line[best]) < 0)) {
      most = occurrences;
      best = last;
    }
  }
  return best;
}

template <class T>
void CheckPick(const SortProblem& problem, RuntimeDataType type, const std::vector<T>& input) {
  const auto& [outer, extent, inner] = problem.geometry;
  if (extent == 0) return;
  for (const Rank rank : {Rank::kSmallest, Rank::kMedian, Rank::kNanMedian, Rank::kMode}) {
    const int64_t k = rank == Rank::kSmallest ? static_cast<int64_t>(problem.seed) % extent : 0;
    GuardedArray<T> values(outer * inner);
    GuardedArray<int64_t> positions(outer * inner);
    GuardedArray<int64_t> scratch(problem.geometry.size());
    PickAlong(rank, problem.geometry, k, {input.data(), TensorSpec(type, {outer, extent, inner})}, scratch.data(),
              values.data(), positions.data());
    for (int64_t line = 0; line < values.size(); ++line) {
      const std::vector<T> elements = Line(problem.geometry, input, line);
      const int64_t position = PickedPosition(rank, k, elements);
      ASSERT_EQ(positions[line], position) << "line " << line << ", rank " << static_cast<int>(rank);
      ASSERT_EQ(std::memcmp(&values[line], &elements[position], sizeof(T)), 0) << "line " << line;
    }
    ASSERT_TRUE(values.intact() && positions.intact() && scratch.intact());
  }
}

class SortTest : public testing::TestWithParam<SortProblem> {
 protected:
  /// Calls check(problem, type, elements) for the types that kernels treat differently, on one thread and on four.
  template <class Check>
  void ForAllTypes(const Check& check) const {
    const SortProblem& problem = GetParam();
    SCOPED_TRACE(Text(problem));
    for (const int threads : {1, 4}) {
      const ThreadScope scope(threads);
      check(problem, RuntimeDataType::kTypeFloat32, Elements<float>(problem));
      check(problem, RuntimeDataType::kTypeFloat64, Elements<double>(problem));
      check(problem, RuntimeDataType::kTypeInt64, Elements<int64_t>(problem));
      check(problem, RuntimeDataType::kTypeInt32, Elements<int32_t>(problem));
      check(problem, RuntimeDataType::kTypeInt16, Elements<int16_t>(problem));
      check(problem, RuntimeDataType::kTypeInt8, Elements<int8_t>(problem));
      check(problem, RuntimeDataType::kTypeUInt8, Elements<uint8_t>(problem));
      check(problem, RuntimeDataType::kTypeBool, Bools(problem));
    }
  }
};

TEST_P(SortTest, EqualsInsertion) {
  ForAllTypes([](const auto& problem, RuntimeDataType type, const auto& input) { CheckSort(problem, type, input); });
}

TEST_P(SortTest, PicksWhatTheDefinitionPicks) {
  ForAllTypes([](const auto& problem, RuntimeDataType type, const auto& input) { CheckPick(problem, type, input); });
}

INSTANTIATE_TEST_SUITE_P(Generated, SortTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

}  // namespace
}  // namespace kuiper_infer::kernel
