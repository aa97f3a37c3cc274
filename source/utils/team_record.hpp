// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <vector>

namespace kuiper_infer {

/// Which threads did what in the parallel regions (RunInTeam) of one thread, for the trace of a run.
struct TeamRecord {
  using Clock = std::chrono::steady_clock;

  /// A helper's work in one region.
  struct Part {
    int thread = 0;  ///< the system's number of the thread; 0: nobody took the seat
    Clock::time_point start;
    Clock::time_point end;
  };
  struct Region {
    Clock::time_point begun;
    Clock::time_point done;  ///< when the caller's own part was over; it waits for helpers until `end`
    Clock::time_point end;
    std::vector<Part> helpers;
  };
  std::vector<Region> regions;  ///< in order; those whose caller stayed alone are left out
};

/// While it lives, the parallel regions that the calling thread opens are noted in a record, which nobody else may use
/// meanwhile. Without a scope a region costs one comparison more. It is no argument of ParallelFor, because kernels
/// call that at some hundred places and none of them could say more than to hand it on; it is an argument of
/// RuntimeGraph::Profile, which opens the scope for one run.
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
