// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/indexing/gather.hpp"
#include "kernel/strided_array.hpp"

namespace kuiper_infer::kernel {

/// An array, one of its axes, and an array of indices along that axis. The indices have the result's shape, whose other
/// axes are at most as long as the array's.
struct IndexProblem {
  uint32_t seed = 0;
  Shape array;
  Shape index;
  std::size_t axis = 0;
  bool from_end = false;
  bool faulty = false;    ///< some numbers are out of range
  bool repeated = false;  ///< one number serves all elements along the other axes (index_select)
};

inline std::string Text(const IndexProblem& problem) {
  return "seed " + std::to_string(problem.seed) + ", array " + ShapeString(problem.array) + ", index " +
         ShapeString(problem.index) + " along axis " + std::to_string(problem.axis) +
         (problem.from_end ? ", from the end" : "") + (problem.faulty ? ", faulty" : "") +
         (problem.repeated ? ", repeated" : "");
}

inline void PrintTo(const IndexProblem& problem, std::ostream* stream) { *stream << Text(problem); }

inline IndexProblem RandomIndexProblem(uint32_t seed) {
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

inline std::vector<IndexProblem> IndexProblems() {
  std::vector<IndexProblem> problems;
  for (uint32_t seed = 0; seed < 150; ++seed) problems.push_back(RandomIndexProblem(seed));
  // Problems for several threads: rows, one index for each row, one long row. And problems without elements to index.
  problems.push_back({150, {20, 300}, {110, 300}, 0});
  problems.push_back({151, {20, 300}, {110, 300}, 0, true, false, true});
  problems.push_back({152, {33}, {40009}, 0, true, true});
  problems.push_back({153, {0, 4}, {3, 4}, 0, true, true});
  return problems;
}

/// Returns indices for a problem. If it is faulty, about a fifth of them is out of range.
inline StridedArray<int64_t> IndexNumbers(const IndexProblem& problem, std::mt19937& generator) {
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

/// Returns the strides of the indices. If one index serves all elements along the other axes, their strides are 0.
inline Strides IndexStrides(const IndexProblem& problem, const StridedArray<int64_t>& index) {
  Strides strides = index.strides();
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (problem.repeated && axis != problem.axis) strides[axis] = 0;
  }
  return strides;
}

inline Strides WithoutAxis(Strides strides, std::size_t axis) {
  strides[axis] = 0;
  return strides;
}

/// Returns the element that an index stands for, or -1 if it is out of range.
inline int64_t PositionOf(const IndexProblem& problem, int64_t number) {
  const int64_t extent = problem.array[problem.axis];
  if (number >= 0) return number < extent ? number : -1;
  return problem.from_end && number >= -extent ? number + extent : -1;
}

/// Calls body(index of the result, number, index in the array) for each index in range, and keeps an index out of range
/// as a fault.
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

inline void ExpectOneOf(const std::vector<int64_t>& faults, const std::optional<IndexFault>& found) {
  ASSERT_EQ(found.has_value(), !faults.empty());
  if (found) {
    EXPECT_NE(std::find(faults.begin(), faults.end(), found->number), faults.end()) << found->number;
  }
}

}  // namespace kuiper_infer::kernel
