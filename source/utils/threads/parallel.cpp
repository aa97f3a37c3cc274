// SPDX-License-Identifier: MIT
#include "utils/threads/parallel.hpp"

#include <algorithm>

#include "utils/threads/thread_count.hpp"
#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer {
namespace {

thread_local int scope_threads = 0;  ///< of the innermost ThreadScope; 0: there is none

}  // namespace

int MaxThreads() {
  if (InTeam() || InOpenMpRegion()) return 1;
  return std::min(scope_threads > 0 ? scope_threads : ProcessThreads(), kMostThreads);
}

ThreadScope::ThreadScope(int count) : former_(scope_threads) {
  if (count > 0) scope_threads = count;
}

ThreadScope::~ThreadScope() { scope_threads = former_; }

void ParallelFor(int64_t count, int64_t grain, FunctionRef<void(int64_t first, int64_t last)> body) {
  if (count <= 0) return;
  const int64_t least = std::max<int64_t>(grain, 1);
  const int seats = count < 2 * least ? 1 : static_cast<int>(std::min<int64_t>(MaxThreads(), count / least));
  if (seats <= 1) return body(0, count);
  WorkShares shares(count, seats, least);
  RunInTeam(seats, [&](int seat) {
    int64_t first = 0;
    int64_t last = 0;
    while (shares.Take(seat, first, last)) body(first, last);
  });
}

void ParallelWorkers(int64_t count, int64_t grain, int64_t workers,
                     FunctionRef<void(int64_t worker, WorkerPieces pieces)> body) {
  if (count <= 0) return;
  const int64_t least = std::max<int64_t>(grain, 1);
  const int64_t most = std::min<int64_t>(MaxThreads(), workers);
  const int seats = static_cast<int>(std::clamp<int64_t>(count / least, 1, std::max<int64_t>(most, 1)));
  WorkShares shares(count, seats, seats > 1 ? least : count);
  RunInTeam(seats, [&](int seat) { body(seat, WorkerPieces(shares, seat)); });
}

void ParallelItems(int64_t count, int64_t workers, FunctionRef<void(int64_t worker, int64_t item)> body) {
  if (count <= 0) return;
  const int seats = static_cast<int>(std::min({count, workers, static_cast<int64_t>(MaxThreads())}));
  WorkShares shares(count, std::max(seats, 1), 1);
  RunInTeam(seats, [&](int seat) {
    int64_t first = 0;
    int64_t last = 0;
    while (shares.Take(seat, first, last)) {
      for (int64_t item = first; item < last; ++item) body(seat, item);
    }
  });
}

}  // namespace kuiper_infer
