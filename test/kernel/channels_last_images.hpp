// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {

// Channels-last images and planar images of the same numbers.

/// The gap behind each pixel, which kernels must not touch.
constexpr int64_t kGap = 3;
constexpr float kUntouched = 77.0F;

/// Converts planar (batch, channels, pixels) to pixels of `pitch` floats.
inline std::vector<float> ChannelsLast(const std::vector<float>& planar, int64_t batch, int64_t channels,
                                       int64_t pixels, int64_t pitch) {
  std::vector<float> result(static_cast<std::size_t>(batch * pixels * pitch), kUntouched);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t p = 0; p < pixels; ++p) {
        result[(n * pixels + p) * pitch + c] = planar[(n * channels + c) * pixels + p];
      }
    }
  }
  return result;
}

inline void ExpectEqual(const std::vector<float>& planar, const std::vector<float>& found, int64_t batch,
                        int64_t channels, double tolerance) {
  const auto pixels = static_cast<int64_t>(planar.size()) / batch / channels;
  const std::vector<float> expected = ChannelsLast(planar, batch, channels, pixels, channels + kGap);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]) && std::isnan(found[i])) continue;
    ASSERT_NEAR(expected[i], found[i], tolerance) << "element " << i;
  }
}

struct Images {
  int64_t batch, channels, gap;
};
constexpr Images kImages[] = {{1, 1, 1}, {1, 16, 0}, {2, 17, 3}, {1, 70, 0}, {3, 5, 2}, {1, 200, 0}};

}  // namespace kuiper_infer::kernel
