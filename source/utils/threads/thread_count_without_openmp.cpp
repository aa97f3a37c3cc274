// SPDX-License-Identifier: MIT
// The process's number of threads in builds without OpenMP's library, such as the Python module: it would load a second
// OpenMP library beside PyTorch's. No other file of the library may call OpenMP's functions.
#include "utils/system/environment.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {

bool InOpenMpRegion() { return false; }

int ProcessThreads() {
  static const int kNumber = environment::ThreadCount().value_or(UsableCores());
  return kNumber;
}

int DefaultThreads() { return ProcessThreads(); }

int SetOpenMpThreads(int number) { return number; }

}  // namespace kuiper_infer
