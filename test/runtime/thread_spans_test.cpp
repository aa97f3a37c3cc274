// SPDX-License-Identifier: MIT
#include "runtime/thread_spans.hpp"

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

using Kind = RuntimeGraph::ThreadSpan::Kind;
using Clock = TeamRecord::Clock;

void ExpectSpan(const RuntimeGraph::ThreadSpan& span, int thread, Kind kind, double start, double seconds) {
  EXPECT_EQ(span.thread, thread);
  EXPECT_EQ(span.kind, kind);
  EXPECT_NEAR(span.start, start, 1e-9);
  EXPECT_NEAR(span.seconds, seconds, 1e-9);
}

TEST(ThreadSpansTest, TheCallersSpansCoverTheStep) {
  const Clock::time_point run = Clock::now();
  const auto at = [&](int milliseconds) { return run + std::chrono::milliseconds(milliseconds); };
  ThreadSpans spans(run);
  TeamRecord::Region first{at(12), at(15), at(17), {{700, at(13), at(17)}, {0, {}, {}}}};
  TeamRecord::Region second{at(17), at(18), at(18), {{900, at(17), at(18)}}};
  const auto step = spans.OfStep(at(10), at(20), {first, second});
  ASSERT_EQ(step.size(), 7U);
  ExpectSpan(step[0], 0, Kind::kAlone, 0.010, 0.002);
  ExpectSpan(step[1], 0, Kind::kShared, 0.012, 0.003);
  ExpectSpan(step[2], 0, Kind::kWaiting, 0.015, 0.002);
  ExpectSpan(step[3], 1, Kind::kShared, 0.013, 0.004);
  ExpectSpan(step[4], 0, Kind::kShared, 0.017, 0.001);
  ExpectSpan(step[5], 2, Kind::kShared, 0.017, 0.001);
  ExpectSpan(step[6], 0, Kind::kAlone, 0.018, 0.002);
  // Helpers keep their numbers from step to step.
  TeamRecord::Region third{at(20), at(22), at(22), {{900, at(20), at(21)}}};
  EXPECT_EQ(spans.OfStep(at(20), at(22), {third}).back().thread, 2);
  const auto alone = spans.OfStep(at(30), at(31), {});
  ASSERT_EQ(alone.size(), 1U);
  ExpectSpan(alone[0], 0, Kind::kAlone, 0.030, 0.001);
}

}  // namespace
}  // namespace kuiper_infer
