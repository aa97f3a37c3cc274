// SPDX-License-Identifier: MIT
#include <windows.h>

#include "utils/threads/thread_system.hpp"

namespace kuiper_infer {

void SleepWhile(std::atomic<uint32_t>& word, uint32_t value) { WaitOnAddress(&word, &value, sizeof(value), INFINITE); }

void Wake(std::atomic<uint32_t>& word, int threads) {
  threads == 1 ? WakeByAddressSingle(&word) : WakeByAddressAll(&word);
}

bool StartThread(pthread_t& thread, void* (*main)(void*), void* argument) {
  return pthread_create(&thread, nullptr, main, argument) == 0;
}

void NameThread(const char* name) { pthread_setname_np(pthread_self(), name); }

int ThreadNumber() { return static_cast<int>(GetCurrentThreadId()); }

bool HasRoomFor(int /*helpers*/) { return true; }

void CallAtFork(void (* /*before*/)(), void (* /*after*/)(), void (* /*in_child*/)()) {}

}  // namespace kuiper_infer
