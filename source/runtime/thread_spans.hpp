// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "utils/threads/team_record.hpp"

namespace kuiper_infer {

/// Converts the TeamRecord of one run into the thread spans of its steps.
class ThreadSpans {
 public:
  using Clock = TeamRecord::Clock;
  using Span = RuntimeGraph::ThreadSpan;

  /// Times count from `run_start` on.
  explicit ThreadSpans(Clock::time_point run_start) : run_start_(run_start) {}

  /// The spans of a step during which these regions were open. The calling thread's spans cover the whole step.
  std::vector<Span> OfStep(Clock::time_point start, Clock::time_point end,
                           const std::vector<TeamRecord::Region>& regions);

 private:
  Span MakeSpan(int thread, Span::Kind kind, Clock::time_point start, Clock::time_point end) const;
  /// Helpers are numbered from 1 on, in the order in which they appear.
  int NumberOf(int thread) { return numbers_.emplace(thread, static_cast<int>(numbers_.size()) + 1).first->second; }

  Clock::time_point run_start_;
  std::map<int, int> numbers_;
};

}  // namespace kuiper_infer
