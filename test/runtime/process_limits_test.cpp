// SPDX-License-Identifier: MIT
// Runs in processes that can't start the threads asked for. Each test works in a child process, which keeps the limits
// there. This process starts no threads, because a child would lack them.
#include <cerrno>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "runtime/in_child.hpp"

namespace kuiper_infer {
namespace {

constexpr int kManyThreads = 64;

/// Returns a convolution, which the library's kernels compute, and a product of two computed matrices, which OpenBLAS
/// computes.
RuntimeGraph Network(int threads) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "conv", AddInput(*source, 0, {1, 4, 192, 192}), 4, 3);
  pnnx::Operand* y = AddUnary(*source, "F.silu", "silu", {x});
  AddOutput(*source, 0, AddUnary(*source, "torch.matmul", "product", {x, y}));
  return BuildWithImage(std::move(source), threads, {1, 4, 192, 192});
}

NdArray ResultOf(RuntimeGraph& graph) {
  graph.Run();
  return graph.outputs().front();
}

bool IsClose(const NdArray& found, const NdArray& expected) {
  if (found.shape() != expected.shape()) return false;
  for (int64_t i = 0; i < found.size(); ++i) {
    if (!(std::abs(found.data<float>()[i] - expected.data<float>()[i]) < 1e-3F)) return false;
  }
  return true;
}

bool RunsRight(int threads, const NdArray& expected) {
  RuntimeGraph graph = Network(threads);
  return IsClose(ResultOf(graph), expected) && IsClose(ResultOf(graph), expected);
}

NdArray Expected() {
  RuntimeGraph graph = Network(1);
  return ResultOf(graph);
}

void Limit(int resource, rlim_t limit) {
  const rlimit both{limit, limit};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0) _exit(4);
}

/// Limits this process to `count` threads, and returns the number that it can have. The limit counts all threads of a
/// user, and does not apply to the superuser. The superuser therefore becomes a user of its own; any other user gets no
/// further thread.
int64_t LimitThreads(int64_t count) {
  constexpr uid_t kUnused = 61000;
  const bool alone = geteuid() == 0 && setuid(kUnused + static_cast<uid_t>(getpid()) % 1000) == 0;
  Limit(RLIMIT_NPROC, alone ? static_cast<rlim_t>(count) : 1);
  return alone ? count : 1;
}

int64_t AddressSpaceInUse() {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

TEST(ProcessLimitsTest, OneThreadStartsNoOther) {
  Expected();
  EXPECT_EQ(ThreadCount(), 1);
}

TEST(ProcessLimitsTest, ThreadsThatAreNotAllowedAreDoneWithout) {
  if (kSanitized) GTEST_SKIP() << "sanitizers start threads too";
  const NdArray expected = Expected();
  ExpectInChild([&] {
    constexpr int64_t kAllowed = 20;
    const int64_t allowed = LimitThreads(kAllowed);
    return RunsRight(kManyThreads, expected) && ThreadCount() == allowed;
  });
}

TEST(ProcessLimitsTest, SessionsAtOnceShareTheThreadsThatAreAllowed) {
  if (kSanitized) GTEST_SKIP() << "sanitizers start threads too";
  const NdArray expected = Expected();
  ExpectInChild([&] {
    std::atomic<int> wrong{0};
    std::atomic<bool> limited{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        while (!limited) std::this_thread::yield();
        for (const int count : {3, 64, 2, 64}) wrong += RunsRight(count, expected) ? 0 : 1;
      });
    }
    LimitThreads(12);
    limited = true;
    for (std::thread& thread : threads) thread.join();
    return wrong == 0;
  });
}

TEST(ProcessLimitsTest, ASmallAddressSpaceHoldsFewerThreads) {
  if (kSanitized) GTEST_SKIP() << "sanitizers map far more than the limit";
  const NdArray expected = Expected();
  for (const int64_t mebibytes : {40, 200, 400, 800, 1600, 3200}) {
    SCOPED_TRACE(mebibytes);
    ExpectInChild([&] {
      Limit(RLIMIT_AS, static_cast<rlim_t>(AddressSpaceInUse() + (mebibytes << 20)));
      return RunsRight(kManyThreads, expected);
    });
  }
}

TEST(ProcessLimitsTest, NoNumberOfThreadsIsBelieved) {
  if (kSanitized) GTEST_SKIP() << "too many threads for a sanitizer";
  const NdArray expected = Expected();
  ExpectInChild([&] {
    LimitThreads(100);
    return RunsRight(std::numeric_limits<int>::max(), expected);
  });
}

TEST(ProcessLimitsTest, AChildForkedAfterARunRuns) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  const NdArray expected = Expected();
  ExpectInChild([&] {
    RuntimeGraph graph = Network(3);
    if (!IsClose(ResultOf(graph), expected)) return false;
    const pid_t pid = fork();
    if (pid == 0) {
      alarm(30);
      const bool same_graph = IsClose(ResultOf(graph), expected);
      bool other_thread = false;
      int64_t threads = 0;
      std::thread other([&] {
        other_thread = RunsRight(3, expected);
        threads = ThreadCount();
      });
      other.join();
      _exit(same_graph && RunsRight(2, expected) && other_thread && threads == 4 ? 0 : 5);
    }
    int status = 0;
    const bool child_done = waitpid(pid, &status, 0) == pid && status == 0;
    return child_done && IsClose(ResultOf(graph), expected);
  });
}

TEST(ProcessLimitsTest, AChildForkedDuringAnotherThreadsProductRuns) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  const NdArray expected = Expected();
  ExpectInChild([&] {
    std::atomic<bool> done{false};
    std::atomic<bool> right{true};
    std::thread other([&] {
      RuntimeGraph graph = Network(2);
      while (!done) right = right && IsClose(ResultOf(graph), expected);
    });
    for (int i = 0; i < 20; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        alarm(10);
        _exit(RunsRight(2, expected) ? 0 : 5);
      }
      int status = 0;
      if (waitpid(pid, &status, 0) != pid || status != 0) right = false;
    }
    done = true;
    other.join();
    return right.load();
  });
}

}  // namespace
}  // namespace kuiper_infer
