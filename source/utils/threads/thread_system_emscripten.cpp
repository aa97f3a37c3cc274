// SPDX-License-Identifier: MIT
#include <limits>

#include <emscripten/threading.h>

#include "utils/threads/thread_system.hpp"

namespace kuiper_infer {

void SleepWhile(std::atomic<uint32_t>& word, uint32_t value) {
  emscripten_futex_wait(&word, value, std::numeric_limits<double>::infinity());
}

void Wake(std::atomic<uint32_t>& word, int threads) { emscripten_futex_wake(&word, threads); }

/// If no web worker is free, the thread begins to run only when the calling thread returns to its event loop.
bool StartThread(pthread_t& thread, void* (*main)(void*), void* argument) {
  return pthread_create(&thread, nullptr, main, argument) == 0;
}

void NameThread(const char* name) { emscripten_set_thread_name(pthread_self(), name); }

int ThreadNumber() { return static_cast<int>(pthread_self()); }

bool HasRoomFor(int /*helpers*/) { return true; }

void CallAtFork(void (* /*before*/)(), void (* /*after*/)(), void (* /*in_child*/)()) {}

}  // namespace kuiper_infer
