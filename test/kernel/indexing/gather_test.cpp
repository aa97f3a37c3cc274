// SPDX-License-Identifier: MIT
#include "kernel/indexing/gather.hpp"

#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/indexing/index_problem.hpp"
#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

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

class GatherTest : public testing::TestWithParam<IndexProblem> {};

TEST_P(GatherTest, GatherEqualsItsDefinition) {
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

TEST_P(GatherTest, OffsetsEqualTheirDefinition) {
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

INSTANTIATE_TEST_SUITE_P(Generated, GatherTest, testing::ValuesIn(IndexProblems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

}  // namespace
}  // namespace kuiper_infer::kernel
