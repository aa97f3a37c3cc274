// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <pthread.h>

#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {

/// The right to call OpenBLAS: whatever calls it, directly or through LAPACK, does so while an OpenBlasScope lives.
/// OpenBLAS works with the calling thread's team; calls by several threads with teams of different sizes take turns,
/// since OpenBLAS frees the memory of one while it makes that of the other, and the numbers would be wrong. Calls of
/// one thread run at any time. A fork waits for the turn: a child made during another thread's would wait for its end
/// for ever.
class OpenBlasScope {
 public:
  OpenBlasScope() : team_(0), turn_(Turns(), std::defer_lock) {
    if (MaxThreads() > 1) turn_.lock();
  }

 private:
  static std::mutex& Turns() {
    static std::mutex turns;
    static const int kHandlers = pthread_atfork(Lock, Unlock, Unlock);
    static_cast<void>(kHandlers);
    return turns;
  }
  static void Lock() { Turns().lock(); }
  static void Unlock() { Turns().unlock(); }

  ThreadScope team_;
  std::unique_lock<std::mutex> turn_;
};

}  // namespace kuiper_infer::kernel
