// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "utils/thread_pool.hpp"

namespace kuiper_infer {

/// The numbers [0, count) for several takers. Each begins with a share of its own, the same in every call, so that a
/// thread meets the memory that it wrote before; behind that it takes what others have left.
class WorkShares {
 public:
  /// For `takers` (at most kMostThreads) takers; pieces have `least` numbers or more, but for the last ones of a share.
  WorkShares(int64_t count, int takers, int64_t least) : takers_(std::min(takers, kMostThreads)) {
    constexpr int64_t kPieces = 4;  // of a share
    piece_ = std::max(least, (count + kPieces * takers_ - 1) / (kPieces * takers_));
    for (int i = 0; i < takers_; ++i) {
      shares_[i].next.store(count * i / takers_, std::memory_order_relaxed);
      shares_[i].end = count * (i + 1) / takers_;
    }
  }

  /// The next numbers [first, last) for a taker; false where none are left.
  bool Take(int taker, int64_t& first, int64_t& last) {
    for (int i = 0; i < takers_; ++i) {
      Share& share = shares_[(taker + i) % takers_];
      if (share.next.load(std::memory_order_relaxed) >= share.end) continue;
      first = share.next.fetch_add(piece_, std::memory_order_relaxed);
      if (first >= share.end) continue;
      last = std::min(first + piece_, share.end);
      return true;
    }
    return false;
  }

 private:
  struct alignas(64) Share {  // a cache line, which no other thread's counting disturbs
    std::atomic<int64_t> next;
    int64_t end;
  };

  int takers_;
  int64_t piece_;
  std::array<Share, kMostThreads> shares_;
};

}  // namespace kuiper_infer
