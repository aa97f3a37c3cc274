// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace kuiper_infer {

// What the thread pool asks of the system besides POSIX threads.

/// Sleeps until Wake(word) or, now and then, without a reason. Returns at once if the word has another value.
void SleepWhile(std::atomic<uint32_t>& word, uint32_t value);

/// Wakes up to that many threads that sleep on the word, which may be freed memory.
void Wake(std::atomic<uint32_t>& word, int threads);

/// Starts a thread that blocks all signals, because they are the program's. Returns false if that fails.
bool StartThread(pthread_t& thread, void* (*main)(void*), void* argument);

/// Names the calling thread for debuggers and profilers, in at most 15 letters.
void NameThread(const char* name);

/// The system's number of the calling thread.
int ThreadNumber();

/// Whether the address space has room for the memory of that many helpers.
bool HasRoomFor(int helpers);

/// Functions for the time of a fork, on systems that have it.
void CallAtFork(void (*before)(), void (*after)(), void (*in_child)());

}  // namespace kuiper_infer
