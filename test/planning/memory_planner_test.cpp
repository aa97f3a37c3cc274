// SPDX-License-Identifier: MIT
#include "planning/memory_planner.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

TEST(MemoryPlannerTest, BlocksOfOneTimeShareNothing) {
  const MemoryPlan plan = PlanMemory({{100, 0, 2}, {100, 1, 3}});
  EXPECT_EQ(plan.total_bytes, 256);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlannerTest, BlocksOfDifferentTimesShareMemory) {
  const MemoryPlan plan = PlanMemory({{128, 0, 1}, {128, 2, 3}, {64, 4, 9}});
  EXPECT_EQ(plan.total_bytes, 128);
}

TEST(MemoryPlannerTest, EmptyBlocksNeedNothing) {
  EXPECT_EQ(PlanMemory({{0, 0, 5}}).total_bytes, 0);
  EXPECT_EQ(PlanMemory({}).total_bytes, 0);
}

TEST(MemoryPlannerTest, LiveBytesAreThoseOfEachStep) {
  constexpr int64_t kForEver = INT64_MAX - 1;
  EXPECT_EQ(LiveBytes({{100, 0, 1}, {64, 1, kForEver}, {1, 3, 3}}, 4), (std::vector<int64_t>{128, 192, 64, 128}));
  EXPECT_EQ(LiveBytes({{64, 5, 9}, {64, -1, -1}}, 2), (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(LiveBytes({{64, 0, 0}}, 0).empty());
}

TEST(MemoryPlannerTest, RandomRequestsNeverOverlapAndStayNearTheBound) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 generator(kSeed);
  for (int round = 0; round < 50; ++round) {
    std::vector<MemoryRequest> requests;
    for (int i = 0; i < 60; ++i) {
      const int64_t first = generator() % 50;
      requests.push_back(
          {static_cast<int64_t>(generator() % 5000), first, first + static_cast<int64_t>(generator() % 8)});
    }
    const MemoryPlan plan = PlanMemory(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % 64, 0);
      EXPECT_LE(plan.offsets[i] + requests[i].bytes, plan.total_bytes);
      for (std::size_t j = 0; j < i; ++j) {
        const bool together = requests[i].first <= requests[j].last && requests[j].first <= requests[i].last;
        const bool apart = plan.offsets[i] + requests[i].bytes <= plan.offsets[j] ||
                           plan.offsets[j] + requests[j].bytes <= plan.offsets[i];
        EXPECT_TRUE(!together || apart || requests[i].bytes == 0 || requests[j].bytes == 0) << i << " and " << j;
      }
    }
    EXPECT_GE(plan.total_bytes, LargestLiveSet(requests));
    const std::vector<int64_t> live = LiveBytes(requests, 60);
    EXPECT_EQ(*std::max_element(live.begin(), live.end()), LargestLiveSet(requests));
    EXPECT_LE(plan.total_bytes, LargestLiveSet(requests) * 2);
  }
}

TEST(MemoryPlannerTest, ManyRequestsTakeNoQuadraticTime) {
  constexpr int64_t kCount = 200000;
  std::vector<MemoryRequest> chain;
  std::vector<MemoryRequest> heap;
  for (int64_t i = 0; i < kCount; ++i) {
    chain.push_back({64, i, i + 1});
    heap.push_back({64, 0, kCount});
  }
  EXPECT_EQ(PlanMemory(chain).total_bytes, 128);
  EXPECT_EQ(PlanMemory(heap).total_bytes, 64 * kCount);
}

}  // namespace
}  // namespace kuiper_infer
