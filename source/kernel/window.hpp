// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace kuiper_infer {

/// A window that slides along one axis: what convolution, pooling and unfolding have in common. Position o of the
/// window covers the elements o * stride - padding_begin + t * dilation for t in [0, kernel).
struct Window {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding_begin = 0;
  int64_t padding_end = 0;
  int64_t dilation = 1;
};

/// Extents of depth, height and width; fewer dimensions have leading ones.
using Extents3 = std::array<int64_t, 3>;

/// Windows over an image: convolution, pooling and unfolding see an image of any dimension as (depth, height, width).
struct WindowGrid {
  Extents3 image{1, 1, 1};
  std::array<Window, 3> window;
  /// Number of window positions along each axis.
  Extents3 positions{1, 1, 1};

  int64_t image_size() const { return image[0] * image[1] * image[2]; }
  int64_t position_count() const { return positions[0] * positions[1] * positions[2]; }
  /// Elements under one window.
  int64_t taps() const { return window[0].kernel * window[1].kernel * window[2].kernel; }
};

}  // namespace kuiper_infer
