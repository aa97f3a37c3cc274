// SPDX-License-Identifier: MIT
// Teams of OpenMP's in place of the library's own helpers (CMake option KUIPER_THREADS=openmp): for systems without
// Linux's futex, and to compare the two. OpenMP ends the process where it cannot start a thread, and a child made by
// fork cannot use it.
#include <algorithm>
#include <omp.h>

#include "utils/float_mode.hpp"
#include "utils/thread_pool.hpp"

namespace kuiper_infer {

bool InTeam() { return omp_in_parallel() != 0; }

void RunInTeam(int seats, FunctionRef<void(int seat)> work) {
  if (seats <= 1 || InTeam()) return work(0);
  const FloatMode mode = FloatMode::Current();
#pragma omp parallel num_threads(std::min(seats, kMostThreads))
  {
    const FloatModeScope scope(mode);
    work(omp_get_thread_num());
  }
}

int PrepareTeam(int wanted) { return std::clamp(wanted, 1, std::min(kMostThreads, omp_get_thread_limit())); }

}  // namespace kuiper_infer
