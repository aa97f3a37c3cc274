// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <sched.h>

namespace kuiper_infer {

/// Lets the other thread of a core go first, for a thread that watches.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Watches for a change without sleeping. Returns true as soon as `changed` does. Returns false if that takes long, or
/// if other threads want the processor: a thread that sleeps gets the processor back sooner than one that has used up
/// its share by watching.
template <class Changed>
bool Watch(const Changed& changed) {
  using Clock = std::chrono::steady_clock;
  constexpr int kPauses = 50;  // a microsecond or two
  constexpr std::chrono::microseconds kLongest{200};
  constexpr std::chrono::microseconds kTakenAway{30};
  const Clock::time_point start = Clock::now();
  for (Clock::time_point before = start; before - start < kLongest;) {
    for (int i = 0; i < kPauses; ++i) {
      if (changed()) return true;
      Pause();
    }
    sched_yield();
    const Clock::time_point now = Clock::now();
    if (now - before > kTakenAway) return changed();
    before = now;
  }
  return false;
}

}  // namespace kuiper_infer
