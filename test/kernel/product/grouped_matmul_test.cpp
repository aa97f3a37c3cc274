// SPDX-License-Identifier: MIT
#include "kernel/product/grouped_matmul.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct GroupedProblem {
  uint32_t seed = 0;
  GroupedGeometry geometry;
  std::vector<int32_t> ends;
};

std::string Text(const GroupedProblem& problem) {
  const auto& [cut, groups, m, k, n] = problem.geometry;
  constexpr const char* kCuts[] = {"rows", "columns", "depth"};
  std::string text = "seed" + std::to_string(problem.seed) + "_" + kCuts[static_cast<int>(cut)] + "_" +
                     std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n) + "_ends";
  for (const int32_t end : problem.ends) text += "_" + std::to_string(end);
  return text;
}

void PrintTo(const GroupedProblem& problem, std::ostream* stream) { *stream << Text(problem); }

/// Returns a problem with empty groups at the front, in the middle and at the end. Every third problem has a rest
/// behind the last group.
GroupedProblem RandomProblem(uint32_t seed) {
  constexpr int64_t kExtents[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 65};
  std::mt19937 generator(seed);
  const auto extent = [&] { return generator() % 20 == 0 ? 0 : kExtents[generator() % 12]; };
  GroupedProblem problem;
  problem.seed = seed;
  problem.geometry = {static_cast<GroupedExtent>(seed % 3), 0, extent(), extent(), extent()};
  const auto whole = static_cast<uint32_t>(problem.geometry.whole());
  problem.ends.resize(generator() % 6);
  for (int32_t& end : problem.ends) end = static_cast<int32_t>(generator() % (whole + 1));
  std::sort(problem.ends.begin(), problem.ends.end());
  if (!problem.ends.empty() && generator() % 3 != 0) problem.ends.back() = static_cast<int32_t>(whole);
  problem.geometry.groups = static_cast<int64_t>(problem.ends.size());
  return problem;
}

std::vector<GroupedProblem> Problems() {
  std::vector<GroupedProblem> problems;
  for (uint32_t seed = 0; seed < 120; ++seed) problems.push_back(RandomProblem(seed));
  // Problems for several threads.
  problems.push_back({120, {GroupedExtent::kRows, 3, 300, 200, 130}, {0, 170, 299}});
  problems.push_back({121, {GroupedExtent::kColumns, 3, 130, 200, 300}, {17, 17, 300}});
  problems.push_back({122, {GroupedExtent::kDepth, 3, 200, 300, 130}, {100, 100, 280}});
  return problems;
}

/// An element of the sum for out(g, i, j), by the definition of each cut. The arrays have the header's layouts.
struct Element {
  double sum = 0;
  int64_t terms = 0;
};

Element Multiply(const GroupedProblem& problem, const std::vector<float>& a, const std::vector<float>& b, int64_t g,
                 int64_t i, int64_t j) {
  const auto& [cut, groups, m, k, n] = problem.geometry;
  Element element;
  for (int64_t l = 0; l < k; ++l) {
    const int64_t along = cut == GroupedExtent::kRows ? i : (cut == GroupedExtent::kColumns ? j : l);
    const int64_t start = g == 0 ? 0 : problem.ends[g - 1];
    if (along < start || along >= problem.ends[g]) continue;  // another group's
    const float left = a[(cut == GroupedExtent::kColumns ? g * m * k : 0) + i * k + l];
    const float right = b[(cut == GroupedExtent::kRows ? g * k * n : 0) + l * n + j];
    element.sum += static_cast<double>(left) * static_cast<double>(right);
    ++element.terms;
  }
  return element;
}

void Check(const GroupedProblem& problem) {
  const auto& [cut, groups, m, k, n] = problem.geometry;
  const int64_t a_size = (cut == GroupedExtent::kColumns ? groups : 1) * m * k;
  const int64_t b_size = (cut == GroupedExtent::kRows ? groups : 1) * k * n;
  const std::vector<float> a = RandomVector<float>(a_size, problem.seed);
  const std::vector<float> b = RandomVector<float>(b_size, problem.seed + 1);
  GuardedArray<float> found((cut == GroupedExtent::kDepth ? groups : 1) * m * n);
  GroupedMatmul(problem.geometry, a.data(), b.data(), problem.ends.data(), found.data());
  for (int64_t place = 0; place < found.size(); ++place) {
    const int64_t i = place / n % m;
    Element expected;
    if (cut == GroupedExtent::kDepth) {
      expected = Multiply(problem, a, b, place / n / m, i, place % n);
    } else {
      // One group has the row or column. Behind the last end no group has it, and results are zero.
      for (int64_t g = 0; g < groups; ++g) {
        const Element share = Multiply(problem, a, b, g, i, place % n);
        expected.sum += share.sum;
        expected.terms += share.terms;
      }
    }
    ASSERT_NEAR(found[place], expected.sum, expected.terms == 0 ? 0 : SumTolerance<float>(expected.terms))
        << "output " << place;
  }
  EXPECT_TRUE(found.intact());
}

class GroupedMatmulTest : public testing::TestWithParam<GroupedProblem> {};

TEST_P(GroupedMatmulTest, EqualsTripleLoop) {
  SCOPED_TRACE(Text(GetParam()));
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    Check(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, GroupedMatmulTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

/// NaN and infinity reach the products of their own group only.
TEST(GroupedMatmulTest, SpecialNumbersStayInTheirGroup) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr int32_t kEnds[] = {2, 4};
  const std::vector<float> a{1, kNan, 1, 1, 1, 1, kInfinity, 1};
  const std::vector<float> b(4, 1.0F);  // (2, 2, 1) or, cut by depth, (4, 1)
  GuardedArray<float> rows(4);
  GroupedMatmul({GroupedExtent::kRows, 2, 4, 2, 1}, a.data(), b.data(), kEnds, rows.data());
  EXPECT_TRUE(rows[0] != rows[0]);
  EXPECT_EQ(rows[1], 2);
  EXPECT_EQ(rows[2], 2);
  EXPECT_EQ(rows[3], kInfinity);
  GuardedArray<float> depths(4);
  GroupedMatmul({GroupedExtent::kDepth, 2, 2, 4, 1}, a.data(), b.data(), kEnds, depths.data());
  EXPECT_TRUE(depths[0] != depths[0]);
  EXPECT_EQ(depths[1], 2);
  EXPECT_EQ(depths[2], 2);
  EXPECT_EQ(depths[3], kInfinity);
}

}  // namespace
}  // namespace kuiper_infer::kernel
