// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace kuiper_infer {

/// The calling thread's floating-point control word. Most CPUs take many times as long for numbers below 2^-126
/// ("denormals"), and networks produce such numbers without need, for example in a masked softmax.
class FloatMode {
 public:
  static FloatMode Current() {
    FloatMode mode;
#if defined(__x86_64__)
    mode.word_ = _mm_getcsr();
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(mode.word_));
#endif
    return mode;
  }

  /// This mode with denormals counted as zero, as operands and as results.
  FloatMode WithoutDenormals() const {
    FloatMode mode = *this;
#if defined(__x86_64__)
    constexpr uint64_t kFlushResults = 0x8000;
    constexpr uint64_t kFlushOperands = 0x0040;
    mode.word_ |= kFlushResults | kFlushOperands;
#elif defined(__aarch64__)
    constexpr uint64_t kFlush = uint64_t{1} << 24;
    mode.word_ |= kFlush;
#endif
    return mode;
  }

  void Set() const {
#if defined(__x86_64__)
    _mm_setcsr(static_cast<uint32_t>(word_));
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(word_));
#endif
  }

 private:
  uint64_t word_ = 0;
};

/// Sets a mode while the object lives, and restores the former mode afterwards.
class FloatModeScope {
 public:
  explicit FloatModeScope(const FloatMode& mode) : former_(FloatMode::Current()) { mode.Set(); }
  ~FloatModeScope() { former_.Set(); }
  FloatModeScope(const FloatModeScope&) = delete;
  FloatModeScope& operator=(const FloatModeScope&) = delete;

 private:
  FloatMode former_;
};

}  // namespace kuiper_infer
