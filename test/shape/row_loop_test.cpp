// SPDX-License-Identifier: MIT
#include "shape/row_loop.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

/// Returns a loop over rows that have gaps between them in the first array and are columns in the second one.
RowLoop<2> LoopOver(int64_t rows, int64_t extent) {
  return {{rows, extent}, {Strides{extent + 1, 1}, Strides{1, rows}}};
}

TEST(RowLoopTest, EveryElementIsMetOnceForAllThreadCounts) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    for (const int64_t rows : {0, 1, 2, 3, 9, 41}) {
      for (const int64_t extent : {0, 1, 100, 40'000}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << rows << " rows of " << extent);
        std::vector<int64_t> from(static_cast<std::size_t>(rows * (extent + 1)));
        std::iota(from.begin(), from.end(), 0);
        std::vector<int64_t> to(static_cast<std::size_t>(rows * extent), -1);
        const RowLoop<2> loop = LoopOver(rows, extent);
        loop.ForEach(1, [&, strides = loop.strides()](const auto& at, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            int64_t& target = to[static_cast<std::size_t>(at[1] + i * strides[1])];
            target = target < 0 ? from[static_cast<std::size_t>(at[0] + i * strides[0])] : -2;
          }
        });
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t i = 0; i < extent; ++i) {
            ASSERT_EQ(to[static_cast<std::size_t>(i * rows + row)], row * (extent + 1) + i);
          }
        }
      }
    }
  }
}

/// If rows were not cut, one of two threads would have twice the other's work with three rows.
TEST(RowLoopTest, FewLongRowsAreCutIntoSeveralPiecesAThread) {
  const ThreadScope scope(2);
  constexpr int64_t kExtent = 1 << 20;
  for (const int64_t rows : {1, 2, 3, 7}) {
    std::atomic<int64_t> longest{0};
    std::atomic<int64_t> all{0};
    LoopOver(rows, kExtent).ForEach(1, [&](const auto& /*at*/, int64_t count) {
      int64_t known = longest;
      while (known < count && !longest.compare_exchange_weak(known, count)) {
      }
      all += count;
    });
    EXPECT_EQ(all, rows * kExtent);
    EXPECT_LE(longest, rows * kExtent / 7) << rows;
  }
}

TEST(RowLoopTest, ShortRowsAreNotCut) {
  const ThreadScope scope(4);
  std::atomic<int> calls{0};
  LoopOver(3, 1000).ForEach(1, [&](const auto& /*at*/, int64_t count) {
    EXPECT_EQ(count, 1000);
    ++calls;
  });
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace kuiper_infer
