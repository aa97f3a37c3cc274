// SPDX-License-Identifier: MIT
// EXIF data is a TIFF file in a segment of a JPEG file.
#include "cli/picture/exif_orientation.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace kuiper_infer::cli {
namespace {

/// The unsigned number that `count` bytes at `at` hold; 0 beyond the end.
std::size_t Number(std::string_view bytes, std::size_t at, std::size_t count, bool big_endian) {
  if (at > bytes.size() || bytes.size() - at < count) return 0;
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + (big_endian ? i : count - 1 - i)]);
  }
  return value;
}

/// The EXIF data of the first segment that has some; empty if no segment before the picture has any.
std::string_view FindExif(std::string_view jpeg) {
  constexpr std::string_view kName("Exif\0\0", 6);
  constexpr unsigned char kExifMarker = 0xE1;
  constexpr unsigned char kScanMarker = 0xDA;
  std::size_t at = 2;
  while (at + 4 <= jpeg.size() && jpeg[at] == '\xFF') {
    const auto marker = static_cast<unsigned char>(jpeg[at + 1]);
    if (marker == 0xFF) {  // markers may have any number of these in front
      ++at;
      continue;
    }
    const std::size_t length = Number(jpeg, at + 2, 2, true);  // these two bytes included
    if (marker == kScanMarker || length < 2) break;
    const std::string_view data = jpeg.substr(at + 4, length - 2);
    if (marker == kExifMarker && data.substr(0, kName.size()) == kName) return data.substr(kName.size());
    at += 2 + length;
  }
  return {};
}

}  // namespace

int ExifOrientation(const std::string& jpeg) {
  constexpr int kUpright = 1;
  const std::string_view tiff = FindExif(jpeg);
  const bool big_endian = tiff.substr(0, 2) == "MM";
  if (!big_endian && tiff.substr(0, 2) != "II") return kUpright;
  const std::size_t directory = Number(tiff, 4, 4, big_endian);
  const std::size_t count = Number(tiff, directory, 2, big_endian);
  constexpr std::size_t kEntryBytes = 12;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = directory + 2 + i * kEntryBytes;  // tag, type, count, value
    constexpr std::size_t kOrientationTag = 0x0112;
    constexpr std::size_t kShort = 3;
    if (Number(tiff, entry, 2, big_endian) != kOrientationTag) continue;
    if (Number(tiff, entry + 2, 2, big_endian) != kShort) return kUpright;
    const std::size_t value = Number(tiff, entry + 8, 2, big_endian);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : kUpright;
  }
  return kUpright;
}

Image Oriented(Image picture, int orientation) {
  if (orientation == 1) return picture;
  const bool transposed = orientation >= 5;
  const bool upside_down = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool mirrored = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  Image upright(picture.height(), picture.width(), picture.channels());
  if (transposed) upright = Image(picture.width(), picture.height(), picture.channels());
  for (int64_t y = 0; y < upright.height(); ++y) {
    for (int64_t x = 0; x < upright.width(); ++x) {
      int64_t row = transposed ? x : y;
      int64_t column = transposed ? y : x;
      if (upside_down) row = picture.height() - 1 - row;
      if (mirrored) column = picture.width() - 1 - column;
      std::copy_n(picture.row(row) + column * picture.channels(), picture.channels(),
                  upright.row(y) + x * upright.channels());
    }
  }
  return upright;
}

}  // namespace kuiper_infer::cli
