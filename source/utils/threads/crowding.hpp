// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>

namespace kuiper_infer {

/// Decides how many helpers to ask on a machine that other programs use as well. A helper that loses the processor in
/// the middle of a piece makes its caller wait for the time slices of other programs. A balance counts the time that
/// helpers save and the time for which callers wait for them. If the balance falls, fewer helpers are asked during a
/// pause. The pause grows as long as each new attempt ends in the same way. Safe to use from several threads.
class Crowding {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = Clock::duration;
  static constexpr Duration kShortestPause = std::chrono::milliseconds(25);
  static constexpr Duration kLongestPause = std::chrono::milliseconds(1000);
  /// The largest balance. When the balance falls below the negative of it, fewer helpers are asked.
  static constexpr Duration kMostBalance = std::chrono::milliseconds(5);

  /// Returns how many of `wanted` helpers may be asked at this time.
  int Worth(int wanted, Clock::time_point now) {
    if (wanted <= most_.load(std::memory_order_relaxed)) return wanted;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (now >= until_) {  // an attempt with more helpers
      if (!lost_) pause_ = std::max(pause_ / kFactor, kShortestPause);
      lost_ = false;
      most_ = most_ + std::max(1, most_ / 4);
      attempt_ = now;
      until_ = now + pause_;
      balance_ = 0;
    }
    return std::min(wanted, most_.load());
  }

  /// Notes what `asked` helpers have done: the time for which they computed while their caller computed, too, and the
  /// time for which the caller then waited.
  void Note(int asked, Duration saved, Duration waited, Clock::time_point now) {
    const Duration::rep balance =
        std::min(balance_.load(std::memory_order_relaxed) + (saved - waited).count(), kMostBalance.count());
    balance_.store(balance, std::memory_order_relaxed);
    if (balance < -kMostBalance.count()) AskFewer(asked, now);
  }

 private:
  static constexpr int kFactor = 4;  ///< by which pauses grow and shrink

  void AskFewer(int asked, Clock::time_point now) {
    const std::lock_guard<std::mutex> lock(mutex_);
    balance_ = 0;
    if (asked > most_) return;  // asked before the number was lowered
    constexpr int kSoon = 2;    // pauses
    pause_ = now - attempt_ < kSoon * pause_ ? std::min(kFactor * pause_, kLongestPause) : kShortestPause;
    lost_ = true;
    most_ = asked - std::max(1, asked / 4);
    until_ = now + pause_;
  }

  std::atomic<int> most_{std::numeric_limits<int>::max() / 2};  ///< helpers that may be asked
  std::atomic<Duration::rep> balance_{kMostBalance.count()};    ///< calls at the same time may lose parts of it
  std::mutex mutex_;
  bool lost_ = false;  ///< whether the balance has fallen since the last attempt
  Duration pause_ = kShortestPause;
  Clock::time_point attempt_;  ///< when the number was raised last
  Clock::time_point until_;    ///< when it may be raised again
};

}  // namespace kuiper_infer
