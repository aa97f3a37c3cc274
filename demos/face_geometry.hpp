// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace demos {

/// A candidate in the picture's pixels. The cascade's weights count pixels from 1: the leftmost pixel is at x = 1.
struct Box {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  float score = 0;

  float width() const { return right - left; }
  float height() const { return bottom - top; }
};

/// A network's corrections of the sides of a box, as parts of its width and height.
struct Shift {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
};

/// The box with its sides shifted; `extra` is added to its width and height first.
Box Shifted(const Box& box, const Shift& shift, float extra);

/// The square around the box's middle with the box's longer side.
Box Square(const Box& box);

/// The area that the intersection of two boxes is divided by.
enum class Overlap {
  kUnion,    ///< intersection over union
  kSmaller,  ///< over the smaller of the two: also finds boxes inside of boxes
};

/// Non-maximum suppression: the numbers of the boxes that do not overlap a better one by more than that, best first.
std::vector<std::size_t> Suppress(const std::vector<Box>& boxes, float threshold, Overlap overlap);

/// A rectangle of pixels, counted from 0.
struct PixelArea {
  int64_t left = 0;
  int64_t top = 0;
  int64_t width = 0;
  int64_t height = 0;
};

/// The pixels of the box that are in the picture; if there are none, width or height is not positive.
PixelArea InPicture(const Box& box, int64_t picture_width, int64_t picture_height);

/// The scales at which faces of `smallest` pixels and more are as large as a window of 12 pixels: each scale is 0.709
/// (the paper's factor, half the area) of the one before. Empty if the picture is smaller than `smallest`.
std::vector<double> PyramidScales(int64_t picture_width, int64_t picture_height, double smallest);

}  // namespace demos
