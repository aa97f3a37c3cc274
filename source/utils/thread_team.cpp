// SPDX-License-Identifier: MIT
#include "utils/thread_team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/syscall.h>

namespace kuiper_infer {
namespace {

/// OpenMP keeps a team for each thread that leads one.
struct Team {
  int wanted = 1;     ///< what was asked for when `size` was found
  int size = 1;       ///< the leader included
  bool lost = false;  ///< its threads were left in the parent by a fork
};

thread_local Team team;

/// Held while a team grows: what one thread finds free, another must not take before it is used.
std::mutex growth;

void LockGrowth() { growth.lock(); }
void UnlockGrowth() { growth.unlock(); }
void StartAsChild() {
  growth.unlock();
  team.lost = team.size > 1;
}

/// Address space for what comes with `count` threads besides their stacks: the heap maps 64 MiB for each, and OpenBLAS,
/// which tries for ever where it can't, 64 more. As much as for two threads is left to the model.
class AddressSpace {
 public:
  explicit AddressSpace(int count) : bytes_(static_cast<std::size_t>(count + 2) * (std::size_t{128} << 20)) {
    address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~AddressSpace() {
    if (fits()) munmap(address_, bytes_);
  }
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  bool fits() const { return address_ != MAP_FAILED; }

 private:
  std::size_t bytes_;
  void* address_;
};

/// How many of `count` threads can run at once beside the present ones. They have ended when it returns.
int TryThreads(int count) {
  std::vector<pid_t> ids(static_cast<std::size_t>(count), 0);
  std::vector<std::thread> threads;
  threads.reserve(ids.size());
  std::mutex gate;
  {
    const std::lock_guard<std::mutex> closed(gate);
    try {
      for (pid_t& id : ids) {
        threads.emplace_back([&gate, &id] {
          id = static_cast<pid_t>(syscall(SYS_gettid));
          const std::lock_guard<std::mutex> passed(gate);
        });
      }
    } catch (const std::exception&) {
      // No further thread can be started: that is the answer.
    }
  }
  for (std::thread& thread : threads) thread.join();
  // The kernel counts a thread against its limits for a moment after it was joined.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    while (syscall(SYS_tgkill, getpid(), ids[i], 0) == 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
  }
  return static_cast<int>(threads.size());
}

int GrownBy(int count) {
  while (count > 0) {
    const AddressSpace reserve(count);
    if (reserve.fits()) return TryThreads(count);
    --count;
  }
  return 0;
}

/// Makes OpenMP start its threads. The size of the team that it made.
int StartTeam(int size) {
  std::atomic<int> present{0};
#pragma omp parallel num_threads(size)
  ++present;
  return present;
}

}  // namespace

int TeamSize(int wanted) {
  if (wanted <= 1 || omp_in_parallel() != 0) return wanted;  // no team starts
  if (team.lost) return 1;
  if (wanted == team.wanted || wanted == team.size) return std::min(wanted, team.size);
  constexpr int kMost = 1024;
  team.wanted = wanted;
  const int size = std::min({wanted, kMost, omp_get_thread_limit()});
  if (size <= team.size) return team.size = size;
  static const int kHandlers = pthread_atfork(LockGrowth, UnlockGrowth, StartAsChild);
  static_cast<void>(kHandlers);
  const std::lock_guard<std::mutex> lock(growth);
  team.size = StartTeam(team.size + GrownBy(size - team.size));
  return team.size;
}

}  // namespace kuiper_infer
