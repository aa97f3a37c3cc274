// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// The options for making an input of a picture.
struct PictureInput {
  std::string fit = "stretch";   ///< stretch; crop, the middle of a larger picture; or letterbox
  std::string color = "rgb";     ///< rgb, bgr or gray: the channels that the model expects
  std::vector<int64_t> size;     ///< height and width if the model leaves them free; may be empty
  float divisor = 255;           ///< divides the bytes
  std::vector<float> mean;       ///< subtracted from the quotients: none, one number, or one for each channel
  std::vector<float> deviation;  ///< divides the differences: none, one number, or one for each channel
};

/// Makes an input of an RGB picture for a recorded spec, float32 (1,C,H,W) or (C,H,W). If the model leaves an extent
/// free, it is that of `options.size`. Without `size` it is in proportion to the other extent, or the picture's own if
/// both are free. Throws Error that says what does not fit, and calls the picture `who` and the input `input`.
NdArray PictureAsInput(const ImageView& picture, const std::string& who, const std::string& input,
                       const TensorSpec& spec, const PictureInput& options);

}  // namespace kuiper_infer::cli
