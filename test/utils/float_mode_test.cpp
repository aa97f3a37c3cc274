// SPDX-License-Identifier: MIT
#include "utils/system/float_mode.hpp"

#include <atomic>
#include <limits>

#include <gtest/gtest.h>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Returns half of a number, computed at run time.
float Half(float x) {
  const volatile float factor = 0.5F;
  return x * factor;
}

constexpr float kSmallest = std::numeric_limits<float>::min();  // the smallest normal number

TEST(FloatModeTest, DenormalsAreZeroAsResultsAndAsOperandsWhileTheScopeLives) {
  const float denormal = kSmallest / 4;
  EXPECT_GT(Half(kSmallest), 0);
  {
    const FloatModeScope scope(FloatMode::Current().WithoutDenormals());
    EXPECT_EQ(Half(kSmallest), 0);
    EXPECT_EQ(Half(denormal) * 1e30F, 0);
    EXPECT_EQ(Half(4 * kSmallest), 2 * kSmallest);
  }
  EXPECT_GT(Half(kSmallest), 0);
}

TEST(FloatModeTest, ThreadsWorkInTheModeOfTheirCaller) {
  const ThreadScope threads(3);
  const FloatModeScope scope(FloatMode::Current().WithoutDenormals());
  std::atomic<int> kept{0};
  ParallelFor(3, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) kept += Half(kSmallest) != 0 ? 1 : 0;
  });
  EXPECT_EQ(kept, 0);
}

}  // namespace
}  // namespace kuiper_infer
