// SPDX-License-Identifier: MIT
#include "text/models/merge_symbols.hpp"

#include <algorithm>
#include <array>
#include <queue>

namespace kuiper_infer::text {
namespace {

/// Up to this many symbols, looking at all pairs again and again is faster than a queue.
constexpr std::size_t kFew = 48;

void MergeFew(const MergeTable& merges, std::vector<int32_t>& symbols) {
  std::array<Merge, kFew> next;  // of each symbol with the one behind it
  std::size_t count = symbols.size();
  for (std::size_t i = 0; i + 1 < count; ++i) next[i] = merges.Find(symbols[i], symbols[i + 1]);
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (next[i].rank < next[best].rank) best = i;
    }
    if (next[best].rank == Merge::kNever) break;
    symbols[best] = next[best].token;
    --count;
    for (std::size_t i = best + 1; i < count; ++i) {
      symbols[i] = symbols[i + 1];
      next[i] = next[i + 1];
    }
    if (best > 0) next[best - 1] = merges.Find(symbols[best - 1], symbols[best]);
    if (best + 1 < count) next[best] = merges.Find(symbols[best], symbols[best + 1]);
  }
  symbols.resize(count);
}

/// Symbols as a linked list, and a queue of the merges that are possible.
class MergeQueue {
 public:
  MergeQueue(const MergeTable& merges, std::vector<int32_t>& symbols)
      : merges_(merges), symbols_(symbols), before_(symbols.size()), behind_(symbols.size()) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      before_[i] = i - 1;
      behind_[i] = i + 1;
    }
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) Offer(i);
  }

  void Run() {
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      const std::size_t right = behind_[best.left];
      if (symbols_[best.left] < 0 || right >= symbols_.size()) continue;
      const Merge merge = merges_.Find(symbols_[best.left], symbols_[right]);
      if (merge.rank != best.rank) continue;  // another merge has taken one of the two
      symbols_[best.left] = merge.token;
      symbols_[right] = kGone;
      behind_[best.left] = behind_[right];
      if (behind_[right] < symbols_.size()) {
        before_[behind_[right]] = best.left;
        Offer(best.left);
      }
      if (best.left > 0) Offer(before_[best.left]);
    }
    symbols_.erase(std::remove(symbols_.begin(), symbols_.end(), kGone), symbols_.end());
  }

 private:
  static constexpr int32_t kGone = -1;
  struct Candidate {
    uint32_t rank;
    std::size_t left;
    bool operator<(const Candidate& other) const {
      return rank != other.rank ? rank > other.rank : left > other.left;  // std::priority_queue pops the largest
    }
  };

  void Offer(std::size_t left) {
    const Merge merge = merges_.Find(symbols_[left], symbols_[behind_[left]]);
    if (merge.rank != Merge::kNever) queue_.push({merge.rank, left});
  }

  const MergeTable& merges_;
  std::vector<int32_t>& symbols_;
  std::vector<std::size_t> before_;
  std::vector<std::size_t> behind_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

void MergeSymbols(const MergeTable& merges, std::vector<int32_t>& symbols) {
  if (symbols.size() <= kFew) {
    MergeFew(merges, symbols);
  } else {
    MergeQueue(merges, symbols).Run();
  }
}

}  // namespace kuiper_infer::text
