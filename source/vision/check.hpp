// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer {

/// Throw Error(kShape) if a picture's extents, channels or memory are invalid.
void CheckImage(const ImageView& image);
void CheckExtents(int64_t height, int64_t width);

}  // namespace kuiper_infer
