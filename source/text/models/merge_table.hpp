// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace kuiper_infer::text {

/// What becomes of a pair of tokens.
struct Merge {
  static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();
  uint32_t rank = kNever;  ///< the place in the order of merges
  int32_t token = -1;      ///< what the pair becomes
};

/// The merges by their pair, with open addressing: most pairs that are asked for have no merge, and one look at one
/// cache line tells so.
class MergeTable {
 public:
  explicit MergeTable(std::size_t count) {
    while ((std::size_t{1} << bits_) < 2 * count + 1) ++bits_;
    slots_.resize(std::size_t{1} << bits_);
  }

  /// Of two merges of the same pair, the last counts.
  void Set(int32_t left, int32_t right, Merge merge) {
    Slot* slot = &slots_[Start(left, right)];
    while (slot->merge.token >= 0 && (slot->left != left || slot->right != right)) slot = Next(slot);
    *slot = {left, right, merge};
  }
  Merge Find(int32_t left, int32_t right) const {
    const Slot* slot = &slots_[Start(left, right)];
    while (slot->merge.token >= 0 && (slot->left != left || slot->right != right)) slot = Next(slot);
    return slot->merge;
  }

 private:
  struct Slot {
    int32_t left = 0;
    int32_t right = 0;
    Merge merge;
  };

  /// Fibonacci hashing.
  std::size_t Start(int32_t left, int32_t right) const {
    const uint64_t pair = (static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32) | static_cast<uint32_t>(right);
    return static_cast<std::size_t>(((pair ^ (pair >> 29)) * 0x9E3779B97F4A7C15U) >> (64 - bits_));
  }
  const Slot* Next(const Slot* slot) const { return slot == &slots_.back() ? &slots_.front() : slot + 1; }
  Slot* Next(Slot* slot) { return slot == &slots_.back() ? &slots_.front() : slot + 1; }

  int bits_ = 1;
  std::vector<Slot> slots_;
};

}  // namespace kuiper_infer::text
