// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// a / b rounded up, for a >= 0 and b > 0.
constexpr int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The smallest multiple of b that is at least a.
constexpr int64_t RoundUp(int64_t a, int64_t b) { return DivideUp(a, b) * b; }

/// The largest multiple of b that is at most a.
constexpr int64_t RoundDown(int64_t a, int64_t b) { return a / b * b; }

/// Bytes of a cache line: arrays and parts of scratch memory start at its multiples.
constexpr int64_t kCacheLine = 64;

constexpr int64_t AlignedBytes(int64_t bytes) { return RoundUp(bytes, kCacheLine); }

constexpr int64_t FloatBytes(int64_t count) { return count * static_cast<int64_t>(sizeof(float)); }

}  // namespace kuiper_infer
