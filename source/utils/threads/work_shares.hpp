// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer {

/// Deals out the numbers [0, count) to several takers. Each taker begins with a share of its own, which is the same in
/// every call, so that a thread finds the memory in its cache that it has written before. After its own share a taker
/// takes numbers from the shares of other takers.
class WorkShares {
 public:
  /// Makes shares for `takers` takers (at most kMostThreads). Pieces have at least `least` numbers, except the last
  /// piece of a share.
  WorkShares(int64_t count, int takers, int64_t least) : takers_(std::min(takers, kMostThreads)) {
    constexpr int64_t kPieces = 4;  // in each share
    piece_ = std::max(least, (count + kPieces * takers_ - 1) / (kPieces * takers_));
    for (int i = 0; i < takers_; ++i) {
      shares_[i].next.store(count * i / takers_, std::memory_order_relaxed);
      shares_[i].end = count * (i + 1) / takers_;
    }
  }

  /// Takes the next numbers [first, last) for a taker; returns false if none are left.
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
  struct alignas(64) Share {  // a cache line of its own, so that counting in other shares does not invalidate it
    std::atomic<int64_t> next;
    int64_t end;
  };

  int takers_;
  int64_t piece_;
  std::array<Share, kMostThreads> shares_;
};

}  // namespace kuiper_infer
