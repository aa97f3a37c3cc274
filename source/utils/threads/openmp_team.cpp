// SPDX-License-Identifier: MIT
// Teams of OpenMP's in place of the library's own helpers (CMake option KUIPER_THREADS=openmp): for systems without
// Linux's futex, and for comparisons. OpenMP ends the process if it cannot start a thread, and a child made by fork
// cannot use it.
#include <algorithm>
#include <omp.h>

#include "utils/system/float_mode.hpp"
#include "utils/threads/team_record.hpp"
#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer {

bool InTeam() { return omp_in_parallel() != 0; }

void RunInTeam(int seats, FunctionRef<void(int seat)> work) {
  if (seats <= 1 || InTeam()) return work(0);
  using Clock = TeamRecord::Clock;
  const FloatMode mode = FloatMode::Current();
  TeamRecord* const record = TeamRecordScope::Current();
  const auto now = [record] { return record == nullptr ? Clock::time_point() : Clock::now(); };
  TeamRecord::Region region;
  if (record != nullptr) region.helpers.resize(std::min(seats, kMostThreads) - 1);
  region.begun = now();
#pragma omp parallel num_threads(std::min(seats, kMostThreads))
  {
    const FloatModeScope scope(mode);
    const int seat = omp_get_thread_num();
    const Clock::time_point start = now();
    work(seat);
    const Clock::time_point end = now();
    if (seat == 0) region.done = end;
    if (seat > 0 && record != nullptr) region.helpers[seat - 1] = {seat, start, end};
  }
  if (record == nullptr) return;
  region.end = now();
  record->regions.push_back(std::move(region));
}

int PrepareTeam(int wanted) { return std::clamp(wanted, 1, std::min(kMostThreads, omp_get_thread_limit())); }

}  // namespace kuiper_infer
