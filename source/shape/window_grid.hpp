// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

  bool pads() const { return padding_begin > 0 || padding_end > 0; }
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
  bool pads() const { return window[0].pads() || window[1].pads() || window[2].pads(); }
  /// Whether every element is a window of its own.
  bool pointwise() const {
    return !pads() &&
           std::all_of(window.begin(), window.end(), [](const Window& w) { return w.kernel == 1 && w.stride == 1; });
  }
  /// Extents of the image with its padding.
  Extents3 padded_image() const {
    Extents3 extents = image;
    for (std::size_t axis = 0; axis < 3; ++axis) extents[axis] += window[axis].padding_begin + window[axis].padding_end;
    return extents;
  }
  /// Elements under one window.
  int64_t taps() const { return window[0].kernel * window[1].kernel * window[2].kernel; }
};

}  // namespace kuiper_infer
