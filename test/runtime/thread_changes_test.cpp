// SPDX-License-Identifier: MIT
// Numbers of threads and CPU masks that change between runs. Each test works in a child process, which starts without
// helpers and without knowledge of the CPUs.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <omp.h>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "runtime/in_child.hpp"
#include "utils/system/environment.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {
namespace {

/// Returns convolutions, upsampling, attention and a Fourier transform: steps that cut their work by rows, tiles,
/// blocks and lines. There is no product of two computed matrices, because its last digits may depend on the number of
/// threads.
RuntimeGraph Network(int threads) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "wide", AddInput(*source, 0, {1, 8, 40, 40}), 16, 3);
  x = AddConvolution(*source, "point", AddUnary(*source, "F.silu", "silu", {x}), 16, 1);
  x = AddUnary(*source, "F.interpolate", "enlarged", {x});
  x->producer->params["size"] = std::vector<int>{60, 60};
  x->producer->params["mode"] = "bilinear";
  x->shape = {1, 16, 60, 60};
  AddOutput(*source, 0, AddUnary(*source, "F.scaled_dot_product_attention", "attention", {x, x, x}));
  pnnx::Operand* spectrum = AddUnary(*source, "torch.fft.fft", "spectrum", {x});
  spectrum->type = 10;  // complex64
  AddOutput(*source, 1, AddUnary(*source, "torch.abs", "magnitude", {spectrum}));
  return BuildWithImage(std::move(source), threads, {1, 8, 40, 40});
}

using Results = std::vector<NdArray>;

Results ResultsOf(RuntimeGraph& graph, int threads = 0) {
  RunOptions options;
  options.num_threads = threads;
  graph.Run(options);
  return graph.outputs();
}

/// Returns whether all bits are equal, or on CPUs that use OpenBLAS for products, whether the numbers are close.
bool AreSame(const Results& found, const Results& expected) {
  if (found.size() != expected.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].shape() != expected[i].shape()) return false;
    const float* a = found[i].data<float>();
    const float* b = expected[i].data<float>();
    const int64_t size = found[i].size();
    const bool same = kernel::HasProductKernels(UsedUnits())
                          ? std::memcmp(a, b, static_cast<std::size_t>(size) * sizeof(float)) == 0
                          : std::equal(a, a + size, b, [](float x, float y) { return std::abs(x - y) < 1e-3F; });
    if (!same) return false;
  }
  return true;
}

Results Expected() {
  RuntimeGraph graph = Network(1);
  return ResultsOf(graph);
}

using Cpus = std::set<int>;

/// Returns the mask of a thread of this process; 0 is the calling thread.
Cpus MaskOf(pid_t thread) {
  cpu_set_t mask;
  Cpus cpus;
  if (sched_getaffinity(thread, sizeof(mask), &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.insert(cpu);
  }
  return cpus;
}

void SetOwnMask(const Cpus& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(cpu, &mask);
  ASSERT_EQ(sched_setaffinity(0, sizeof(mask), &mask), 0);
}

/// Returns the masks of the helpers, which are all threads but the first one.
std::multiset<Cpus> MasksOfHelpers() {
  std::multiset<Cpus> masks;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(entry.path().filename());
    if (thread != getpid()) masks.insert(MaskOf(thread));
  }
  return masks;
}

TEST(ThreadChangesTest, AnyNumberOfThreadsGivesTheSameBits) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  const Results expected = Expected();
  const std::vector<int> counts = {1, 4, 2, 8, 1, 3, 8, 2, 1};
  for (const int planned : {1, 2, 8}) {
    SCOPED_TRACE(planned);
    ExpectInChild([&] {
      RuntimeGraph one = Network(planned);
      RuntimeGraph other = Network(2);
      for (int round = 0; round < 5; ++round) {
        for (const int count : counts) {
          if (!AreSame(ResultsOf(one, count), expected)) return false;
          other.set_num_threads(9 - count);
          if (!AreSame(ResultsOf(other), expected)) return false;
        }
      }
      EXPECT_EQ(ThreadCount(), 8) << "one run asks for no more, and nobody else is at work";
      return true;
    });
  }
}

TEST(ThreadChangesTest, GraphsAtOnceStartNoMoreHelpersThanOneOfThem) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  const Results expected = Expected();
  ExpectInChild([&] {
    std::atomic<int> wrong{0};
    std::atomic<int64_t> most{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        RuntimeGraph graph = Network(1 + i);
        for (int run = 0; run < 30; ++run) wrong += AreSame(ResultsOf(graph, 1 + (run + i) % 4), expected) ? 0 : 1;
        most = ThreadCount();  // of the last one to be done
      });
    }
    for (std::thread& thread : threads) thread.join();
    constexpr int kOthers = 4;  // the first thread and these three
    EXPECT_LE(most, kOthers + std::max(4, UsableCores()) - 1);
    return wrong == 0;
  });
}

TEST(ThreadChangesTest, AMaskThatChangesBetweenRunsCountsForNewHelpers) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  const Results expected = Expected();
  ExpectInChild([&] {
    const Cpus all = MaskOf(0);
    const Cpus narrow = {*all.begin()};
    RuntimeGraph graph = Network(3);
    if (!AreSame(ResultsOf(graph), expected)) return false;
    std::multiset<Cpus> masks = MasksOfHelpers();
    EXPECT_EQ(masks.count(all), masks.size());
    const std::size_t before = masks.size();
    EXPECT_GE(before, 2U);
    SetOwnMask(narrow);
    for (int run = 0; run < 10; ++run) {
      if (!AreSame(ResultsOf(graph), expected)) return false;
    }
    EXPECT_EQ(MasksOfHelpers(), masks) << "helpers keep the mask that they began with";
    const int more = static_cast<int>(before) + 3;
    if (!AreSame(ResultsOf(graph, more), expected)) return false;
    for (int i = 0; i < 2; ++i) masks.insert(narrow);
    EXPECT_EQ(MasksOfHelpers(), masks) << "new ones have the mask of the thread that wants them";
    SetOwnMask(all);
    for (int run = 0; run < 10; ++run) {
      if (!AreSame(ResultsOf(graph, more), expected)) return false;
    }
    EXPECT_EQ(MasksOfHelpers(), masks);
    return true;
  });
}

/// Returns whether OpenMP's number of threads is a default and not set by a user.
bool HasDefault() { return !environment::HasThreadCount() && omp_get_max_threads() == omp_get_num_procs(); }

TEST(ThreadChangesTest, TheDefaultIsOfTheMaskAtItsFirstUse) {
  if (kSanitized) GTEST_SKIP() << "sanitizers allow no threads in a forked child";
  if (!HasDefault()) GTEST_SKIP() << "OMP_NUM_THREADS says how many";
  const Results expected = Expected();
  ExpectInChild([&] {
    const Cpus all = MaskOf(0);
    SetOwnMask({*all.begin()});
    RuntimeGraph graph = Network(0);
    if (!AreSame(ResultsOf(graph), expected)) return false;
    EXPECT_EQ(DefaultThreads(), 1);
    EXPECT_EQ(ThreadCount(), 1) << "one CPU wants no helper";
    SetOwnMask(all);
    if (!AreSame(ResultsOf(graph), expected)) return false;
    EXPECT_EQ(ThreadCount(), 1) << "what was found is kept";
    omp_set_num_threads(3 * static_cast<int>(all.size()));
    EXPECT_EQ(DefaultThreads(), 0) << "now the program has said how many";
    return AreSame(ResultsOf(graph), expected) && ThreadCount() > 1;
  });
  ExpectInChild([&] {
    const int cores = DefaultThreads();
    EXPECT_EQ(cores, UsableCores());
    RuntimeGraph graph = Network(0);
    if (!AreSame(ResultsOf(graph), expected)) return false;
    SetOwnMask({*MaskOf(0).begin()});
    EXPECT_EQ(DefaultThreads(), cores) << "a mask that is narrowed later is not taken for OpenMP's number being set";
    return AreSame(ResultsOf(graph), expected);
  });
}

}  // namespace
}  // namespace kuiper_infer
