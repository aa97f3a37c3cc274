// SPDX-License-Identifier: MIT
#include "cli/picture/picture.hpp"

#include <algorithm>
#include <png.h>

#include "cli/picture/jpeg_picture.hpp"
#include "data/byte_source.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

[[noreturn]] void Fail(const std::string& name, const std::string& text) {
  throw Error(ErrorCode::kFile, name + ": " + text);
}

Image DecodePng(const std::string& bytes, const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) Fail(name, png.message);
  png.format = PNG_FORMAT_RGBA;
  try {
    CheckPixels(name, png.width, png.height);
    Image rgba(png.height, png.width, 4);
    if (png_image_finish_read(&png, nullptr, rgba.row(0), 0, nullptr) == 0) Fail(name, png.message);
    Image picture(rgba.height(), rgba.width(), 3);
    for (int64_t i = 0; i < rgba.height() * rgba.width(); ++i) {
      std::copy_n(rgba.row(0) + 4 * i, 3, picture.row(0) + 3 * i);
    }
    return picture;
  } catch (...) {
    png_image_free(&png);
    throw;
  }
}

}  // namespace

void CheckPixels(const std::string& name, int64_t width, int64_t height) {
  constexpr int64_t kMostPixels = 1 << 27;
  if (width * height <= kMostPixels) return;
  throw Error(ErrorCode::kResource, name + ": has " + std::to_string(width) + " x " + std::to_string(height) +
                                        " pixels, expected at most " + std::to_string(kMostPixels));
}

Image DecodePicture(const std::string& bytes, const std::string& name) {
  if (bytes.compare(0, 4, "\x89PNG") == 0) return DecodePng(bytes, name);
  if (bytes.compare(0, 2, "\xFF\xD8") == 0) return DecodeJpeg(bytes, name);
  Fail(name, "is neither a PNG nor a JPEG file");
}

Image ReadPicture(const std::string& path) {
  constexpr uint64_t kMostBytes = 512 << 20;
  return DecodePicture(ByteSource::OpenFile(path)->Text(kMostBytes), path);
}

}  // namespace kuiper_infer::cli
