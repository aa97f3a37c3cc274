// SPDX-License-Identifier: MIT
#include "kernel/elementwise/where.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/strided_array.hpp"
#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct WhereProblem {
  uint32_t seed = 0;
  Shape shape;
  Layout layout = Layout::kRepeated;
};

std::string Text(const WhereProblem& problem) {
  return "seed " + std::to_string(problem.seed) + ", shape " + ShapeString(problem.shape);
}

void PrintTo(const WhereProblem& problem, std::ostream* stream) { *stream << Text(problem); }

std::vector<WhereProblem> Problems() {
  std::vector<WhereProblem> problems;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 generator(seed);
    problems.push_back({seed, RandomShape(generator)});
  }
  // Problems for several threads: few long rows, many short rows, and one row.
  problems.push_back({150, {3, 70001}, Layout::kRepeated});
  problems.push_back({151, {20011, 7}, Layout::kAny});
  problems.push_back({152, {131071}, Layout::kRowMajor});
  return problems;
}

/// Returns random bytes: a selection moves elements with all their bits, even NaNs.
template <class T>
T RandomBits(std::mt19937& generator) {
  std::array<unsigned char, sizeof(T)> bytes;
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(generator());
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

/// Compares with the definition: output[i] = condition[i] ? yes[i] : no[i].
template <class T>
void Check(const WhereProblem& problem, RuntimeDataType type) {
  std::mt19937 generator(problem.seed);
  const bool row_major = problem.layout == Layout::kRowMajor;
  StridedArray<bool> condition(problem.shape, problem.layout, generator);
  StridedArray<T> yes(problem.shape, problem.layout, generator);
  StridedArray<T> no(problem.shape, problem.layout, generator);
  StridedArray<T> found(problem.shape, row_major ? Layout::kRowMajor : Layout::kAny, generator);
  condition.Fill([&] { return generator() % 2 == 0; });
  yes.Fill([&] { return RandomBits<T>(generator); });
  no.Fill([&] { return RandomBits<T>(generator); });
  StridedArray<T> expected = found;
  ForEachIndex(problem.shape,
               [&](const auto& index) { expected.At(index) = condition.At(index) ? yes.At(index) : no.At(index); });
  const WhereLoop loop(problem.shape, {condition.strides(), yes.strides(), no.strides(), found.strides()});
  Where(loop, type, condition.data(), yes.data(), no.data(), found.data());
  for (int64_t i = 0; i < expected.memory_size(); ++i) {
    ASSERT_EQ(std::memcmp(&found.memory(i), &expected.memory(i), sizeof(T)), 0)
        << "place " << i << " in memory, " << TypeName(type);
  }
}

class WhereTest : public testing::TestWithParam<WhereProblem> {};

TEST_P(WhereTest, EqualsItsDefinition) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    Check<uint8_t>(GetParam(), RuntimeDataType::kTypeUInt8);
    Check<uint16_t>(GetParam(), RuntimeDataType::kTypeFloat16);
    Check<uint32_t>(GetParam(), RuntimeDataType::kTypeFloat32);
    Check<uint64_t>(GetParam(), RuntimeDataType::kTypeInt64);
    Check<Bytes16>(GetParam(), RuntimeDataType::kTypeComplex128);
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, WhereTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

TEST(WhereTest, MayOverwriteAnOperand) {
  constexpr bool kCondition[] = {true, false, false, true, true};
  std::vector<float> yes{1, 2, 3, 4, 5};
  const std::vector<float> no{-1, -2, -3, -4, -5};
  const WhereLoop loop({5}, {Strides{1}, Strides{1}, Strides{1}, Strides{1}});
  Where(loop, RuntimeDataType::kTypeFloat32, kCondition, yes.data(), no.data(), yes.data());
  EXPECT_EQ(yes, (std::vector<float>{1, -2, -3, 4, 5}));
}

}  // namespace
}  // namespace kuiper_infer::kernel
