// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace kuiper_infer {

/// Tests in child processes, because they change limits, masks and threads of their process.

#ifdef KUIPER_HEAP_ONLY
constexpr bool kSanitized = true;  // their run-time libraries need threads and address space of their own
#else
constexpr bool kSanitized = false;
#endif

/// Returns the number of threads of this process.
inline int64_t ThreadCount() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

/// Returns whether this process has `count` threads, now or soon. The system counts a joined thread for a moment
/// longer.
inline bool HasThreadsSoon(int64_t count) {
  constexpr int kMostWaits = 2000;
  for (int wait = 0; ThreadCount() != count; ++wait) {
    if (wait == kMostWaits) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Runs `body` in a child. Expects the child to end by itself within half a minute, `body` to return true, and its
/// expectations to hold.
inline void ExpectInChild(const std::function<bool()>& body) {
  const bool failed = testing::Test::HasFailure();
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    alarm(30);
    try {
      _exit(body() && testing::Test::HasFailure() == failed ? 0 : 2);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(3);
    }
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_FALSE(WIFSIGNALED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "ended with " << WEXITSTATUS(status) << ": 1 the library ended the process, 2 wrong numbers, 3 an exception";
}

}  // namespace kuiper_infer
