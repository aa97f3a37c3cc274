// SPDX-License-Identifier: MIT
#include "utils/parallel.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

TEST(ParallelForTest, CoversEveryIndexOnceForAllThreadCounts) {
  for (const int threads : {1, 2, 3, 8}) {
    const ThreadScope scope(threads);
    for (const int64_t count : {0, 1, 2, 7, 8, 9, 1000}) {
      for (const int64_t grain : {1, 3, 100}) {
        std::vector<int> hits(static_cast<std::size_t>(count), 0);
        ParallelFor(count, grain, [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) ++hits[static_cast<std::size_t>(i)];
        });
        for (const int hit : hits) ASSERT_EQ(hit, 1);
      }
    }
  }
}

TEST(ParallelForTest, NestedCallsStayOnTheirThread) {
  const ThreadScope scope(2);
  std::vector<int> hits(64, 0);
  ParallelFor(8, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      ParallelFor(8, 1, [&, i](int64_t inner, int64_t end) {
        EXPECT_EQ(end - inner, 8);
        for (; inner < end; ++inner) ++hits[static_cast<std::size_t>(i * 8 + inner)];
      });
    }
  });
  for (const int hit : hits) EXPECT_EQ(hit, 1);
}

TEST(ThreadScopeTest, RestoresTheFormerCount) {
  const int former = MaxThreads();
  {
    const ThreadScope scope(5);
    EXPECT_EQ(MaxThreads(), 5);
    const ThreadScope unchanged(0);
    EXPECT_EQ(MaxThreads(), 5);
  }
  EXPECT_EQ(MaxThreads(), former);
}

}  // namespace
}  // namespace kuiper_infer
