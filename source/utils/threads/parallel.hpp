// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "utils/function_ref.hpp"
#include "utils/threads/work_shares.hpp"

namespace kuiper_infer {

/// The number of threads among which ParallelFor would share work here, at most kMostThreads. It is 1 inside of shared
/// work and inside of a parallel region of OpenMP's.
int MaxThreads();

/// While the object lives, the calling thread's work is shared among `count` threads; then the former number is
/// restored. A count of 0 or less leaves the number as it is. Without a scope it is OpenMP's number
/// (omp_set_num_threads, OMP_NUM_THREADS).
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int former_;
};

/// Calls body(first, last) for pieces that cover [0, count), several for each thread. A thread that has finished its
/// own pieces takes pieces of other threads, so that if the system deschedules a thread, the caller waits only for the
/// piece which that thread has begun. `grain` is the smallest number of items that is worth a thread of its own;
/// operators state their work in this way, never a number of threads. The calling thread does all of the work if there
/// is too little of it, or inside of other shared work. All threads use the caller's floating-point mode. `body` must
/// not throw.
void ParallelFor(int64_t count, int64_t grain, FunctionRef<void(int64_t first, int64_t last)> body);

/// The pieces that one worker of ParallelWorkers gets.
class WorkerPieces {
 public:
  WorkerPieces(WorkShares& shares, int worker) : shares_(shares), worker_(worker) {}

  /// Takes the next piece [first, last); returns false if none is left.
  bool Take(int64_t& first, int64_t& last) { return shares_.Take(worker_, first, last); }

 private:
  WorkShares& shares_;
  int worker_;
};

/// Calls body(worker, pieces) for at most `workers` workers, which may run at once. Each takes pieces of [0, count)
/// until none is left; the size of pieces and `grain` are as in ParallelFor. For work that keeps scratch memory, or
/// prepared data, from one piece to the next. A worker may get no piece, and the first worker may get all of them.
void ParallelWorkers(int64_t count, int64_t grain, int64_t workers,
                     FunctionRef<void(int64_t worker, WorkerPieces pieces)> body);

/// Calls body(worker, item) for the items [0, count). At most `workers` workers run at once; the items of one worker
/// come one after the other. For work whose items need scratch memory of their own.
void ParallelItems(int64_t count, int64_t workers, FunctionRef<void(int64_t worker, int64_t item)> body);

/// The number of items that is worth a thread, if each takes `cost_per_item` simple operations: about 16k operations.
inline int64_t GrainFor(int64_t cost_per_item) {
  constexpr int64_t kWorthAThread = int64_t{16} << 10;
  return std::max<int64_t>(1, kWorthAThread / std::max<int64_t>(cost_per_item, 1));
}

}  // namespace kuiper_infer
