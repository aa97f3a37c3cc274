// SPDX-License-Identifier: MIT
#include "runtime/thread_spans.hpp"

namespace kuiper_infer {

std::vector<ThreadSpans::Span> ThreadSpans::OfStep(Clock::time_point start, Clock::time_point end,
                                                   const std::vector<TeamRecord::Region>& regions) {
  std::vector<Span> spans;
  const auto add = [&](int thread, Span::Kind kind, Clock::time_point from, Clock::time_point to) {
    if (from < to) spans.push_back(MakeSpan(thread, kind, from, to));
  };
  Clock::time_point at = start;
  for (const TeamRecord::Region& region : regions) {
    add(0, Span::Kind::kAlone, at, region.begun);
    add(0, Span::Kind::kShared, region.begun, region.done);
    add(0, Span::Kind::kWaiting, region.done, region.end);
    at = region.end;
    for (const TeamRecord::Part& part : region.helpers) {
      if (part.thread != 0) add(NumberOf(part.thread), Span::Kind::kShared, part.start, part.end);
    }
  }
  add(0, Span::Kind::kAlone, at, end);
  return spans;
}

ThreadSpans::Span ThreadSpans::MakeSpan(int thread, Span::Kind kind, Clock::time_point start,
                                        Clock::time_point end) const {
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  return {thread, kind, seconds(start - run_start_), seconds(end - start)};
}

}  // namespace kuiper_infer
