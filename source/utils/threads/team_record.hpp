// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <vector>

namespace kuiper_infer {

/// The work of each thread in the parallel regions (RunInTeam) that one thread opened, for the trace of a run.
struct TeamRecord {
  using Clock = std::chrono::steady_clock;

  /// A helper's work in one region.
  struct Part {
    int thread = 0;  ///< the system's number of the thread; 0: no thread took the seat
    Clock::time_point start;
    Clock::time_point end;
  };
  struct Region {
    Clock::time_point begun;
    Clock::time_point done;  ///< the end of the caller's own part; from then on it waits for helpers until `end`
    Clock::time_point end;
    std::vector<Part> helpers;
  };
  std::vector<Region> regions;  ///< in order; regions in which no helper took part are left out
};

/// While the object lives, the parallel regions that the calling thread opens are noted in a record, which no other
/// code may use meanwhile. Without a scope a region costs one more comparison. The record is not an argument of
/// ParallelFor, because kernels call that at some hundred places, each of which could only pass it on.
/// RuntimeGraph::Profile has an argument for it, and opens the scope for one run.
class TeamRecordScope {
 public:
  /// Null: nothing is noted.
  explicit TeamRecordScope(TeamRecord* record);
  ~TeamRecordScope();
  TeamRecordScope(const TeamRecordScope&) = delete;
  TeamRecordScope& operator=(const TeamRecordScope&) = delete;

  /// The record of the innermost scope of the calling thread, or null.
  static TeamRecord* Current();

 private:
  TeamRecord* former_;
};

}  // namespace kuiper_infer
