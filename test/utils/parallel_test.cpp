// SPDX-License-Identifier: MIT
#include "utils/threads/parallel.hpp"

#include <array>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "utils/threads/team_record.hpp"
#include "utils/threads/thread_count.hpp"
#include "utils/threads/work_shares.hpp"

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

TEST(ParallelForTest, NobodyWaitsForHelpersThatAreElsewhere) {
  // All helpers are held in another caller's work, so none can take part in this one.
  std::atomic<bool> held{true};
  std::atomic<int> inside{0};
  const int team = PrepareTeam(UsableCores() + 1);
  std::thread other([&] {
    RunInTeam(team, [&](int /*seat*/) {
      ++inside;
      while (held) std::this_thread::yield();
    });
  });
  while (inside < team) std::this_thread::yield();
  const ThreadScope scope(2);
  std::atomic<int64_t> done{0};
  ParallelFor(100, 1, [&](int64_t first, int64_t last) { done += last - first; });
  EXPECT_EQ(done, 100);
  held = false;
  other.join();
}

TEST(ParallelItemsTest, ItemsOfAWorkerComeOneAfterTheOther) {
  const ThreadScope scope(4);
  constexpr int64_t kWorkers = 3;
  std::array<std::atomic<int>, kWorkers> busy{};
  std::vector<std::atomic<int>> hits(1000);
  ParallelItems(static_cast<int64_t>(hits.size()), kWorkers, [&](int64_t worker, int64_t item) {
    ASSERT_LT(worker, kWorkers);
    EXPECT_EQ(busy[static_cast<std::size_t>(worker)]++, 0);
    ++hits[static_cast<std::size_t>(item)];
    --busy[static_cast<std::size_t>(worker)];
  });
  for (const auto& hit : hits) EXPECT_EQ(hit, 1);
}

TEST(ParallelItemsTest, NothingHappensWithoutItemsOrWorkers) {
  int calls = 0;
  ParallelItems(0, 4, [&](int64_t, int64_t) { ++calls; });
  EXPECT_EQ(calls, 0);
  ParallelItems(3, 0, [&](int64_t worker, int64_t) { calls += worker == 0 ? 1 : 0; });
  EXPECT_EQ(calls, 3);
}

/// The pieces do not depend on which threads take them, or when.
TEST(WorkSharesTest, PiecesAreTheSameWhoeverTakesThem) {
  for (const int takers : {1, 2, 3, 7}) {
    for (const int64_t count : {1, 5, 64, 1001}) {
      for (const int64_t least : {1, 16}) {
        const auto pieces = [&](bool in_turns) {
          WorkShares shares(count, takers, least);
          std::map<int64_t, int64_t> found;
          int64_t first = 0;
          int64_t last = 0;
          for (int taker = 0; shares.Take(taker, first, last); taker = in_turns ? (taker + 1) % takers : 0) {
            EXPECT_TRUE(found.emplace(first, last).second);
          }
          return found;
        };
        const std::map<int64_t, int64_t> one = pieces(false);
        EXPECT_EQ(one, pieces(true));
        int64_t next = 0;
        for (const auto& [first, last] : one) {
          EXPECT_EQ(first, next);
          next = last;
        }
        EXPECT_EQ(next, count);
      }
    }
  }
}

TEST(RunInTeamTest, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> sum{0};
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&] {
      const ThreadScope scope(4);
      for (int round = 0; round < 500; ++round) {
        ParallelFor(64, 1, [&](int64_t first, int64_t last) { sum += last - first; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, int64_t{8} * 500 * 64);
}

TEST(ParallelWorkersTest, PiecesCoverEverythingOnceInEachWorkersOwnMemory) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    for (const int64_t count : {0, 1, 7, 1000}) {
      for (const int64_t workers : {0, 1, 3, 8}) {
        for (const int64_t grain : {1, 100}) {
          std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
          std::array<std::atomic<int>, 8> calls{};
          ParallelWorkers(count, grain, workers, [&](int64_t worker, WorkerPieces pieces) {
            ASSERT_LT(worker, std::max<int64_t>(workers, 1));
            EXPECT_EQ(calls[static_cast<std::size_t>(worker)]++, 0) << "a worker begins once";
            int64_t first = 0;
            int64_t last = 0;
            while (pieces.Take(first, last)) {
              for (; first < last; ++first) ++hits[static_cast<std::size_t>(first)];
            }
          });
          for (const auto& hit : hits) ASSERT_EQ(hit, 1);
        }
      }
    }
  }
}

/// A worker that is held up keeps its piece, and the other workers do all the rest.
TEST(ParallelWorkersTest, NobodyWaitsForMoreThanAPiece) {
  const ThreadScope scope(2);
  if (PrepareTeam(2) < 2) GTEST_SKIP() << "no second thread";
  constexpr int64_t kCount = 80;
  std::atomic<int64_t> done{0};
  std::atomic<int> workers{0};
  std::atomic<int64_t> held{0};
  ParallelWorkers(kCount, 1, 2, [&](int64_t /*worker*/, WorkerPieces pieces) {
    int64_t first = 0;
    int64_t last = 0;
    if (!pieces.Take(first, last)) return;
    if (++workers == 2) {  // holds its piece until all others are done
      held = last - first;
      while (done + held < kCount) std::this_thread::yield();
    }
    do {
      done += last - first;
    } while (pieces.Take(first, last));
  });
  EXPECT_EQ(done, kCount);
  EXPECT_LE(held, kCount / 8);
}

TEST(ThreadScopeTest, NoMoreThreadsAreCountedOnThanThereCanBe) {
  const ThreadScope scope(1'000'000);
  EXPECT_EQ(MaxThreads(), kMostThreads);
  std::atomic<int64_t> done{0};
  ParallelItems(1000, 1'000'000, [&](int64_t worker, int64_t /*item*/) {
    EXPECT_LT(worker, kMostThreads);
    ++done;
  });
  EXPECT_EQ(done, 1000);
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

/// Opens a region in which the caller waits for a helper for at most ten seconds.
void ShareWithAHelper() {
  std::atomic<bool> came{false};
  RunInTeam(2, [&](int seat) {
    const auto start = TeamRecord::Clock::now();
    if (seat > 0) came = true;
    while (!came && TeamRecord::Clock::now() - start < std::chrono::seconds(10)) std::this_thread::yield();
    const auto pause = std::chrono::milliseconds(seat > 0 ? 20 : 5);
    std::this_thread::sleep_for(pause);
  });
}

TEST(TeamRecordTest, NotesWhoDidWhat) {
  if (PrepareTeam(2) < 2) GTEST_SKIP() << "the process can have no helper";
  TeamRecord record;
  {
    const TeamRecordScope scope(&record);
    // If other programs compute, the pool may ask for no helper for a while.
    for (int attempt = 0; attempt < 3 && record.regions.empty(); ++attempt) ShareWithAHelper();
  }
  if (record.regions.empty()) GTEST_SKIP() << "no helper came";
  const TeamRecord::Region& region = record.regions.back();
  EXPECT_LT(region.begun, region.done);
  EXPECT_LE(region.done, region.end);
  ASSERT_EQ(region.helpers.size(), 1U);
  const TeamRecord::Part& part = region.helpers.front();
  EXPECT_NE(part.thread, 0);
  EXPECT_LE(region.begun, part.start);
  EXPECT_LE(part.end, region.end);
  EXPECT_GE(part.end - part.start, std::chrono::milliseconds(20));
  EXPECT_GT(region.end - region.done, std::chrono::milliseconds(1)) << "the caller waits for the slower helper";
  const std::size_t noted = record.regions.size();
  ShareWithAHelper();
  EXPECT_EQ(record.regions.size(), noted) << "the scope has ended";
}

}  // namespace
}  // namespace kuiper_infer
