// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <omp.h>

#include "utils/float_mode.hpp"
#include "utils/thread_team.hpp"

namespace kuiper_infer {

/// Number of threads that a parallel region started here would use.
inline int MaxThreads() { return omp_in_parallel() != 0 ? 1 : TeamSize(omp_get_max_threads()); }

/// While it lives, parallel regions started by this thread (ours and OpenBLAS's, which share OpenMP's team) use
/// `count` threads, or as many as the process can have; the former number returns afterwards. With a count of 0 or less
/// it is the former number that the process must be able to have.
class ThreadScope {
 public:
  explicit ThreadScope(int count) : former_(omp_get_max_threads()) {
    omp_set_num_threads(TeamSize(count > 0 ? count : former_));
  }
  ~ThreadScope() { omp_set_num_threads(former_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int former_;
};

/// Calls body(first, last) for pieces that cover [0, count), one piece a thread. `grain` is the least number of items
/// that is worth a thread of its own; operators state work this way, never thread counts. Inside a parallel region, or
/// with too little work, the caller's thread does it all. All threads work in the caller's floating-point mode. `body`
/// must not throw.
///
/// The whole team starts even where there are fewer pieces: OpenMP ends the threads that a smaller team leaves out, and
/// to start them again takes longer than to wake them, and can fail.
template <class Body>
void ParallelFor(int64_t count, int64_t grain, const Body& body) {
  if (count <= 0) return;
  const int threads = MaxThreads();
  const int64_t pieces = std::min<int64_t>(threads, count / std::max<int64_t>(grain, 1));
  if (pieces <= 1) {
    body(int64_t{0}, count);
    return;
  }
  const FloatMode mode = FloatMode::Current();
#pragma omp parallel num_threads(threads)
  {
    const int64_t workers = std::min<int64_t>(pieces, omp_get_num_threads());
    const int64_t id = omp_get_thread_num();
    if (id < workers) {
      const FloatModeScope scope(mode);
      body(count * id / workers, count * (id + 1) / workers);
    }
  }
}

/// Calls body(worker, item) for the items [0, count), dealt out to workers that may run at once; the items of one
/// worker come one after the other. For work whose parts need scratch memory of their own.
template <class Body>
void ParallelItems(int64_t count, int64_t workers, const Body& body) {
  ParallelFor(workers, 1, [&](int64_t first, int64_t last) {
    for (int64_t worker = first; worker < last; ++worker) {
      for (int64_t item = count * worker / workers; item < count * (worker + 1) / workers; ++item) body(worker, item);
    }
  });
}

/// Items per thread such that a piece is worth about `cost * items >= 16k` simple operations.
inline int64_t GrainFor(int64_t cost_per_item) {
  constexpr int64_t kWorthAThread = int64_t{16} << 10;
  return std::max<int64_t>(1, kWorthAThread / std::max<int64_t>(cost_per_item, 1));
}

}  // namespace kuiper_infer
