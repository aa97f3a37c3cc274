// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// Where the pixels of channels-last images lie, in numbers. A pixel is a run of channels; pixels are evenly spaced, so
/// that rows and planes of an image follow each other without gaps.
struct PixelStrides {
  int64_t pixel = 0;  ///< from one pixel to the next, at least the channels
  int64_t image = 0;  ///< from one image of the batch to the next
};

}  // namespace kuiper_infer
