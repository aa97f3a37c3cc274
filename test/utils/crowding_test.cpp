// SPDX-License-Identifier: MIT
// The number of helpers that are asked, for simulated times.
#include "utils/threads/crowding.hpp"

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

using std::chrono::milliseconds;

class CrowdingTest : public testing::Test {
 protected:
  int Worth(int wanted) { return crowding_.Worth(wanted, now_); }
  void Note(int asked, int saved_ms, int waited_ms) {
    crowding_.Note(asked, milliseconds(saved_ms), milliseconds(waited_ms), now_);
  }
  /// Notes losses until fewer helpers than `asked` are asked.
  void Lose(int asked) {
    for (int i = 0; i < 100 && Worth(asked) == asked; ++i) Note(asked, 0, 4);
    ASSERT_LT(Worth(asked), asked);
  }
  /// Returns for how long fewer than `wanted` helpers are asked.
  milliseconds Pause(int wanted) {
    const Crowding::Clock::time_point start = now_;
    while (Worth(wanted) < wanted) now_ += milliseconds(1);
    return std::chrono::duration_cast<milliseconds>(now_ - start);
  }

  Crowding crowding_;
  Crowding::Clock::time_point now_ = Crowding::Clock::time_point(std::chrono::hours(1));
};

TEST_F(CrowdingTest, AllAreAskedWhereHelpPays) {
  for (int i = 0; i < 1000; ++i) {
    Note(3, 5, 4);
    ASSERT_EQ(Worth(3), 3);
    ASSERT_EQ(Worth(255), 255);
  }
}

TEST_F(CrowdingTest, ARareLossIsNoReason) {
  for (int i = 0; i < 100; ++i) {
    Note(1, 0, 8);
    ASSERT_EQ(Worth(1), 1) << i;
    Note(1, 20, 0);
  }
}

TEST_F(CrowdingTest, GainsOfLongAgoDontPayForLosses) {
  for (int i = 0; i < 100000; ++i) Note(1, 100, 0);
  Note(1, 0, 8);
  Note(1, 0, 8);
  EXPECT_EQ(Worth(1), 0);
}

TEST_F(CrowdingTest, PausesGrowWhileAttemptsFail) {
  milliseconds last(0);
  for (int i = 0; i < 6; ++i) {
    Lose(1);
    const milliseconds pause = Pause(1);
    EXPECT_GE(pause, last) << i;
    EXPECT_LE(pause, Crowding::kLongestPause) << i;
    last = pause;
  }
  EXPECT_EQ(last, Crowding::kLongestPause);
}

TEST_F(CrowdingTest, AfterAQuietTimeThePauseIsShortAgain) {
  for (int i = 0; i < 5; ++i) {
    Lose(1);
    Pause(1);
  }
  now_ += std::chrono::seconds(10);
  Lose(1);
  EXPECT_EQ(Pause(1), Crowding::kShortestPause);
}

TEST_F(CrowdingTest, OfManyHelpersOnlySomeAreLeftOut) {
  Lose(15);
  EXPECT_EQ(Worth(15), 12);
  EXPECT_EQ(Worth(5), 5) << "fewer are wanted";
  for (int i = 0; i < 2; ++i) Note(15, 0, 6);  // by callers that had asked before
  EXPECT_EQ(Worth(15), 12);
  Lose(12);
  EXPECT_EQ(Worth(15), 9);
  now_ += Crowding::kLongestPause;
  EXPECT_EQ(Worth(15), 11) << "an attempt with some more";
  EXPECT_EQ(Worth(15), 11) << "for some time";
  EXPECT_LE(Pause(15), std::chrono::seconds(1)) << "all are asked again soon where nothing is lost";
}

}  // namespace
}  // namespace kuiper_infer
