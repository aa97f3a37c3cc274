// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// Reads a PNG or JPEG file as RGB; transparency is left out. Throws Error(kFile) naming the file and what is wrong.
Image ReadPicture(const std::string& path);

/// The same from memory; `name` stands for the file in messages.
Image DecodePicture(const std::string& bytes, const std::string& name);

}  // namespace kuiper_infer::cli
