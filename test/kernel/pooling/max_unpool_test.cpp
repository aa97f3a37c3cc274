// SPDX-License-Identifier: MIT
#include "kernel/pooling/max_unpool.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct UnpoolProblem {
  uint32_t seed = 0;
  int64_t planes = 1;
  int64_t count = 1;  ///< elements of an input's plane
  int64_t size = 1;   ///< elements of an output's plane
};

std::string Text(const UnpoolProblem& problem) {
  return "seed" + std::to_string(problem.seed) + "_" + std::to_string(problem.planes) + "x" +
         std::to_string(problem.count) + "to" + std::to_string(problem.size);
}

void PrintTo(const UnpoolProblem& problem, std::ostream* stream) { *stream << Text(problem); }

std::vector<UnpoolProblem> Problems() {
  constexpr int64_t kExtents[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65};
  std::vector<UnpoolProblem> problems;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    std::mt19937 generator(seed);
    const auto planes = static_cast<int64_t>(generator() % 6);
    const int64_t count = kExtents[generator() % 14];
    problems.push_back({seed, planes, count, count == 0 ? kExtents[generator() % 14] : kExtents[1 + generator() % 13]});
  }
  problems.push_back({80, 100, 500, 2000});  // work for several threads
  return problems;
}

/// output[plane, indices[plane, i]] = input[plane, i], zero elsewhere. For each output, searches the last index that
/// names it.
template <class T>
void Check(const UnpoolProblem& problem) {
  SCOPED_TRACE(sizeof(T));
  std::mt19937 generator(problem.seed);
  const int64_t inputs = problem.planes * problem.count;
  std::vector<T> input(static_cast<std::size_t>(inputs));
  std::vector<int64_t> indices(input.size());
  for (T& value : input) value = static_cast<T>(uint64_t{generator()} << 32 | generator());
  for (int64_t& index : indices) index = static_cast<int64_t>(generator() % static_cast<uint64_t>(problem.size));
  GuardedArray<T> found(problem.planes * problem.size);
  ASSERT_TRUE(
      MaxUnpool(problem.planes, problem.count, problem.size, sizeof(T), input.data(), indices.data(), found.data()));
  for (int64_t i = 0; i < found.size(); ++i) {
    const int64_t plane = i / problem.size;
    T expected = 0;
    for (int64_t k = plane * problem.count; k < (plane + 1) * problem.count; ++k) {
      if (indices[k] == i % problem.size) expected = input[k];
    }
    ASSERT_EQ(found[i], expected) << "output " << i;
  }
  EXPECT_TRUE(found.intact());
}

/// An index outside of the plane is reported, at any place, and nothing is written for it.
template <class T>
void CheckFaults(const UnpoolProblem& problem) {
  const int64_t inputs = problem.planes * problem.count;
  if (inputs == 0) return;
  const std::vector<T> input(static_cast<std::size_t>(inputs), T(1));
  for (const int64_t place : {int64_t{0}, inputs / 2, inputs - 1}) {
    for (const int64_t index : {int64_t{-1}, problem.size, INT64_MIN, INT64_MAX}) {
      std::vector<int64_t> indices(input.size(), 0);
      indices[static_cast<std::size_t>(place)] = index;
      GuardedArray<T> found(problem.planes * problem.size);
      EXPECT_FALSE(
          MaxUnpool(problem.planes, problem.count, problem.size, sizeof(T), input.data(), indices.data(), found.data()))
          << "index " << index << " at " << place;
      EXPECT_TRUE(found.intact());
    }
  }
}

class MaxUnpoolTest : public testing::TestWithParam<UnpoolProblem> {};

TEST_P(MaxUnpoolTest, EqualsASearch) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    Check<uint8_t>(GetParam());
    Check<uint16_t>(GetParam());
    Check<uint32_t>(GetParam());
    Check<uint64_t>(GetParam());
  }
}

TEST_P(MaxUnpoolTest, FindsIndicesOutsideOfThePlane) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    CheckFaults<uint8_t>(GetParam());
    CheckFaults<uint64_t>(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, MaxUnpoolTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

}  // namespace
}  // namespace kuiper_infer::kernel
