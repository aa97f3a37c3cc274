// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// DecodePicture for the bytes of a JPEG file.
Image DecodeJpeg(const std::string& bytes, const std::string& name);

}  // namespace kuiper_infer::cli
