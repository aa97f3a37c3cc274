// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include "utils/threads/watch.hpp"

namespace kuiper_infer {

/// A mutex for sections of a few instructions: a thread that finds it taken tries again for a moment before it sleeps.
class BriefMutex {
 public:
  void lock() {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock()) return;
      Pause();
    }
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace kuiper_infer
