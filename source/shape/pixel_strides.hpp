// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// The distances between the pixels of channels-last images, in elements. A pixel is a run of channels. Pixels are
/// evenly spaced, without additional gaps between the rows and planes of an image.
struct PixelStrides {
  int64_t pixel = 0;  ///< from one pixel to the next, at least the number of channels
  int64_t image = 0;  ///< from one image of the batch to the next
};

}  // namespace kuiper_infer
