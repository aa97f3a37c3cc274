// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/vision/image.hpp"

namespace kuiper_infer::cli {

/// Reads a PNG or JPEG file as RGB, turned upright as its camera noted (EXIF); transparency is left out. Throws
/// Error(kFile) that names the file and the fault, and Error(kResource) if decoding would take too long or too much
/// memory.
Image ReadPicture(const std::string& path);

/// Decodes the contents of a PNG or JPEG file as ReadPicture does; `name` stands for the file in messages.
Image DecodePicture(const std::string& bytes, const std::string& name);

/// Throws Error(kResource) for a picture beyond any camera's: a few bytes can announce one, and decoding takes up to 9
/// bytes a pixel.
void CheckPixels(const std::string& name, int64_t width, int64_t height);

}  // namespace kuiper_infer::cli
