// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// Returns how the camera was held, from the EXIF data of a JPEG file: 1 (upright) to 8. 1 if the file does not say it.
int ExifOrientation(const std::string& jpeg);

/// The picture turned upright: mirrored and rotated as the orientation demands.
Image Oriented(Image picture, int orientation);

}  // namespace kuiper_infer::cli
