// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "kuiper_infer/runtime/session.hpp"

namespace kuiper_infer::text {

/// Beginnings of prompts with their states, which the conversations of a generator share. Safe to call from several
/// threads.
class KeptPrefixes {
 public:
  struct Prefix {
    std::vector<int64_t> tokens;
    StateSnapshot states;
  };

  /// The longest prefix that `tokens` begins with.
  std::optional<Prefix> Find(const std::vector<int64_t>& tokens) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Prefix* best = nullptr;
    for (const Prefix& each : prefixes_) {
      const bool begins =
          each.tokens.size() <= tokens.size() && std::equal(each.tokens.begin(), each.tokens.end(), tokens.begin());
      if (begins && (best == nullptr || best->tokens.size() < each.tokens.size())) best = &each;
    }
    return best == nullptr ? std::nullopt : std::optional<Prefix>(*best);
  }

  /// Keeps a prefix in the place of the oldest one, if there are as many as may be.
  void Keep(Prefix prefix) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Prefix& each : prefixes_) {
      if (each.tokens == prefix.tokens) return;
    }
    prefixes_.push_front(std::move(prefix));
    if (prefixes_.size() > kMost) prefixes_.pop_back();
  }

 private:
  static constexpr std::size_t kMost = 4;

  mutable std::mutex mutex_;
  std::list<Prefix> prefixes_;
};

}  // namespace kuiper_infer::text
