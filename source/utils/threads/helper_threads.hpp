// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <pthread.h>
#include <utility>
#include <vector>

#include "utils/threads/thread_pool.hpp"
#include "utils/threads/thread_system.hpp"

namespace kuiper_infer {

/// The helpers that have been started. The pool holds its mutex during every call.
class HelperThreads {
 public:
  HelperThreads() { threads_.reserve(kMostThreads); }

  int count() const { return static_cast<int>(threads_.size()); }

  /// Starts `wanted` helpers that run main(argument), or as many as the process can have. For a second after a failure
  /// it does not try again.
  void Start(int wanted, void* (*main)(void*), void* argument) {
    if (wanted <= 0 || std::chrono::steady_clock::now() < next_attempt_) return;
    while (wanted > 0 && HasRoomFor(count() + 1) && StartOne(main, argument)) --wanted;
    if (wanted > 0) next_attempt_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  }

  /// Hands over the threads, which the caller joins.
  std::vector<pthread_t> Release() { return std::exchange(threads_, {}); }

  /// Forgets the threads, none of which a forked child has.
  void Forget() {
    threads_.clear();
    next_attempt_ = {};
  }

 private:
  bool StartOne(void* (*main)(void*), void* argument) {
    pthread_t thread{};
    if (!StartThread(thread, main, argument)) return false;
    threads_.push_back(thread);
    return true;
  }

  std::vector<pthread_t> threads_;
  std::chrono::steady_clock::time_point next_attempt_;
};

}  // namespace kuiper_infer
