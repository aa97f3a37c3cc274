// SPDX-License-Identifier: MIT
#include "utils/threads/thread_system.hpp"

#include <signal.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace kuiper_infer {

void SleepWhile(std::atomic<uint32_t>& word, uint32_t value) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void Wake(std::atomic<uint32_t>& word, int threads) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

bool StartThread(pthread_t& thread, void* (*main)(void*), void* argument) {
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  const bool started = pthread_create(&thread, nullptr, main, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
  return started;
}

void NameThread(const char* name) { pthread_setname_np(pthread_self(), name); }

int ThreadNumber() { return static_cast<int>(syscall(SYS_gettid)); }

/// Besides its stack, the heap maps 64 MiB for each helper, and OpenBLAS another 64; if OpenBLAS can't map them, it
/// tries for ever. Room for two more threads is left to the model.
bool HasRoomFor(int helpers) {
  const auto bytes = static_cast<std::size_t>(helpers + 2) * (std::size_t{128} << 20);
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return false;
  munmap(address, bytes);
  return true;
}

void CallAtFork(void (*before)(), void (*after)(), void (*in_child)()) { pthread_atfork(before, after, in_child); }

}  // namespace kuiper_infer
