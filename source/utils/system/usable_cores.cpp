// SPDX-License-Identifier: MIT
#include <sched.h>
#include <vector>

#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {
namespace {

/// The CPUs of the calling thread's mask; none if it can't be read or the system has none.
std::vector<int> CpusOfMask() {
  std::vector<int> cpus;
#ifdef __linux__
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  }
#endif
  return cpus;
}

}  // namespace

int UsableCores() {
  static const int kCores = CountUsableCores(CpusOfMask(), "/");
  return kCores;
}

}  // namespace kuiper_infer
