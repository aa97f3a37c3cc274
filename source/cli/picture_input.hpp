// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// How a picture becomes an input of a model.
struct PictureInput {
  std::string fit = "stretch";   ///< stretch; crop, the middle of a larger picture; or letterbox
  std::string color = "rgb";     ///< rgb, bgr or gray: the channels that the model expects
  std::vector<int64_t> size;     ///< height and width where the model leaves them free; may be empty
  float divisor = 255;           ///< of the bytes
  std::vector<float> mean;       ///< subtracted from the quotients: none, one number, or one for each channel
  std::vector<float> deviation;  ///< what they are divided by then, likewise
};

/// An RGB picture as the input of a recorded spec, float32 (1,C,H,W) or (C,H,W). An extent that the model leaves free
/// is the one of `options.size`; without that it is in proportion to the other, or the picture's own where both are
/// free. Throws Error saying what does not fit, in which `who` stands for the picture and `input` for the input.
NdArray PictureAsInput(const ImageView& picture, const std::string& who, const std::string& input,
                       const TensorSpec& spec, const PictureInput& options);

}  // namespace kuiper_infer::cli
