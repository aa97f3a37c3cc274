// SPDX-License-Identifier: MIT
// Programs that open a plugin that contains the library, run a model, close the plugin and continue. Each test is a
// process that has to end by itself, including its destructors.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "runtime/in_child.hpp"

namespace kuiper_infer {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 4;

/// Ends the process as a failure.
[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  _exit(2);
}

void Require(bool condition, const char* what) {
  if (!condition) Fail(what);
}

void* Open() {
  void* const library = dlopen(KUIPER_CLOSED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Fail(dlerror());
  return library;
}

bool IsLoaded() {
  void* const library = dlopen(KUIPER_CLOSED_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

double RunIn(void* library) {
  const auto run = reinterpret_cast<double (*)(int)>(dlsym(library, "RunModel"));
  if (run == nullptr) Fail(dlerror());
  return run(kThreads);
}

/// Forks. The library's fork handlers must be gone with it.
void RequireFork() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  int status = 0;
  Require(waitpid(pid, &status, 0) == pid && status == 0, "a forked child did not end well");
}

/// Runs the model. `others` is the number of threads that are no helpers.
void RequireRun(void* library, int others, double& expected) {
  const double found = RunIn(library);
  Require(std::isfinite(found), "the result is no number");
  if (expected == 0) expected = found;
  Require(std::abs(found - expected) <= 1e-3 * std::abs(expected), "another result than before");
  Require(HasThreadsSoon(others + kThreads - 1), "not as many helpers as the run asked for");
}

/// The model runs in a thread that ends, because thread-local objects keep their library open as long as the thread
/// lives.
void CloseAgainAndAgain() {
  alarm(60);
  double expected = 0;
  for (int round = 0; round < kRounds; ++round) {
    void* const library = Open();
    std::thread([&] { RequireRun(library, 2, expected); }).join();
    dlclose(library);
    Require(!IsLoaded(), "the library is still there");
    Require(HasThreadsSoon(1), "helpers have outlived their library");
    RequireFork();
  }
  std::exit(0);
}

void CloseWhatStays() {
  alarm(60);
  double expected = 0;
  for (int round = 0; round < kRounds; ++round) {
    void* const library = Open();
    RequireRun(library, 1, expected);
    dlclose(library);
  }
  std::exit(0);
}

TEST(ClosingTest, HelpersEndWithTheirLibrary) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  EXPECT_EXIT(CloseAgainAndAgain(), testing::ExitedWithCode(0), "");
}

TEST(ClosingTest, ALibraryThatAThreadStillNeedsGoesOnWorking) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  EXPECT_EXIT(CloseWhatStays(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace kuiper_infer
