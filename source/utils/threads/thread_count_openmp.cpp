// SPDX-License-Identifier: MIT
// The process's number of threads is OpenMP's: for programs, which link its library.
#include <omp.h>

#include "utils/system/environment.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {
namespace {

/// OpenMP's default number: one thread for each CPU that the process had when the library was loaded; 0 if another
/// number had been set by then. A later comparison tells whether the program has set a number, even if the CPU mask has
/// changed.
const int kUnsetNumber = omp_get_max_threads() == omp_get_num_procs() ? omp_get_max_threads() : 0;

}  // namespace

bool InOpenMpRegion() { return omp_in_parallel() != 0; }

int ProcessThreads() { return omp_get_max_threads(); }

int DefaultThreads() {
  static const bool kIsSet = environment::HasThreadCount();
  return !kIsSet && omp_get_max_threads() == kUnsetNumber ? UsableCores() : 0;
}

int SetOpenMpThreads(int number) {
  const int former = omp_get_max_threads();
  omp_set_num_threads(number);
  return former;
}

}  // namespace kuiper_infer
