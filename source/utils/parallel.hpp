// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "utils/thread_pool.hpp"
#include "utils/work_shares.hpp"

namespace kuiper_infer {

/// Number of threads among which ParallelFor would share work here, at most kMostThreads: one inside of such work and
/// inside of a parallel region of OpenMP's.
int MaxThreads();

/// While it lives, the calling thread's work is shared among `count` threads; the former number returns afterwards. A
/// count of 0 or less leaves the number as it is. Without a scope it is OpenMP's (omp_set_num_threads,
/// OMP_NUM_THREADS).
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int former_;
};

/// Calls body(first, last) for pieces that cover [0, count), several a thread: whoever is done with its own goes on
/// with the others', so that nobody waits for a thread that the system has put aside, but for the piece that it is at.
/// `grain` is the least number of items that is worth a thread of its own; operators state work this way, never thread
/// counts. Inside of such work, or with too little of it, the caller's thread does it all. All threads work in the
/// caller's floating-point mode. `body` must not throw.
template <class Body>
void ParallelFor(int64_t count, int64_t grain, const Body& body) {
  if (count <= 0) return;
  const int64_t least = std::max<int64_t>(grain, 1);
  const int seats = count < 2 * least ? 1 : static_cast<int>(std::min<int64_t>(MaxThreads(), count / least));
  if (seats <= 1) {
    body(int64_t{0}, count);
    return;
  }
  WorkShares shares(count, seats, least);
  RunInTeam(seats, [&](int seat) {
    int64_t first = 0;
    int64_t last = 0;
    while (shares.Take(seat, first, last)) body(first, last);
  });
}

/// The pieces of ParallelWorkers that one worker gets.
class WorkerPieces {
 public:
  WorkerPieces(WorkShares& shares, int worker) : shares_(shares), worker_(worker) {}

  /// The next piece [first, last); false where none is left.
  bool Take(int64_t& first, int64_t& last) { return shares_.Take(worker_, first, last); }

 private:
  WorkShares& shares_;
  int worker_;
};

/// Calls body(worker, pieces) for workers that may run at once, at most `workers`. Each takes pieces of [0, count)
/// until none is left: several a worker as in ParallelFor, with `grain` as there. For work that keeps scratch memory,
/// or what it has prepared in it, from one piece to the next. A worker may get no piece, and the first one may get them
/// all.
template <class Body>
void ParallelWorkers(int64_t count, int64_t grain, int64_t workers, const Body& body) {
  if (count <= 0) return;
  const int64_t least = std::max<int64_t>(grain, 1);
  const int64_t most = std::min<int64_t>(MaxThreads(), workers);
  const int seats = static_cast<int>(std::clamp<int64_t>(count / least, 1, std::max<int64_t>(most, 1)));
  WorkShares shares(count, seats, least);
  RunInTeam(seats, [&](int seat) { body(int64_t{seat}, WorkerPieces(shares, seat)); });
}

/// Calls body(worker, item) for the items [0, count), dealt out to workers that may run at once; the items of one
/// worker come one after the other. For work whose parts need scratch memory of their own.
template <class Body>
void ParallelItems(int64_t count, int64_t workers, const Body& body) {
  if (count <= 0) return;
  const int seats = static_cast<int>(std::min({count, workers, static_cast<int64_t>(MaxThreads())}));
  WorkShares shares(count, std::max(seats, 1), 1);
  RunInTeam(seats, [&](int seat) {
    int64_t first = 0;
    int64_t last = 0;
    while (shares.Take(seat, first, last)) {
      for (int64_t item = first; item < last; ++item) body(int64_t{seat}, item);
    }
  });
}

/// Items per thread such that a piece is worth about `cost * items >= 16k` simple operations.
inline int64_t GrainFor(int64_t cost_per_item) {
  constexpr int64_t kWorthAThread = int64_t{16} << 10;
  return std::max<int64_t>(1, kWorthAThread / std::max<int64_t>(cost_per_item, 1));
}

}  // namespace kuiper_infer
