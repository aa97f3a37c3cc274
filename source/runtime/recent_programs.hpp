// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The inputs that a program is planned for.
struct ProgramKey {
  std::vector<TensorSpec> specs;  ///< of the inputs
  bool keep_all = false;          ///< whether the arrays of all operands are kept, not only those of outputs
  bool any_length = false;  ///< whether the program serves all lengths of growing inputs, whose extents are -1 here

  bool operator==(const ProgramKey& other) const {
    return specs == other.specs && keep_all == other.keep_all && any_length == other.any_length;
  }
};

/// A list of the few entries used last, the most recent one first. An entry has a member `key`.
template <class Entry>
class RecentPrograms {
 public:
  bool empty() const { return entries_.empty(); }
  Entry& front() { return entries_.front(); }
  const Entry& front() const { return entries_.front(); }

  /// Moves the entry of that key to the front and returns it; null if there is none.
  Entry* Find(const ProgramKey& key) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return &entries_.front();
  }

  /// Puts an entry in front, and frees the oldest one if there are too many.
  Entry& Add(Entry entry) {
    constexpr std::size_t kMost = 4;
    if (entries_.size() >= kMost) entries_.pop_back();
    entries_.push_front(std::move(entry));
    return entries_.front();
  }

  /// Frees all entries but the most recent one. Returns whether there were any.
  bool KeepFront() {
    if (entries_.size() < 2) return false;
    entries_.erase(entries_.begin() + 1, entries_.end());
    return true;
  }

 private:
  std::deque<Entry> entries_;
};

}  // namespace kuiper_infer
