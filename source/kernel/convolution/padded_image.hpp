// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Where the numbers of a batch of images lie, in numbers: any order of the axes.
struct ImageStrides {
  int64_t image = 0;
  int64_t plane = 0;  ///< along the depth
  int64_t row = 0;
  int64_t pixel = 0;
  int64_t channel = 0;
};

/// A batch of channels-last images with room for the windows' padding, without gaps.
struct PaddedImages {
  int64_t batch = 1;
  int64_t channels = 1;
  WindowGrid grid;

  ImageStrides strides() const;
  /// The number of numbers of all padded images.
  int64_t size() const;
};

/// Copies images into their padded form. Float32 numbers can be rounded to bfloat16 on the way.
void CopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, float* to, float padding);
void CopyPadded(const PaddedImages& padded, const uint16_t* images, const ImageStrides& from, uint16_t* to,
                uint16_t padding);
void CopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, uint16_t* to,
                uint16_t padding);
void CopyPadded(const PaddedImages& padded, const uint8_t* images, const ImageStrides& from, uint8_t* to,
                uint8_t padding);

}  // namespace kuiper_infer::kernel
