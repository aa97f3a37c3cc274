// SPDX-License-Identifier: MIT
#include "kuiper_infer/vision/image.hpp"

#include <algorithm>
#include <cmath>

#include "vision/check.hpp"

namespace kuiper_infer {

void CheckImage(const ImageView& image) {
  CheckExtents(image.height, image.width);
  const bool rows = image.row_bytes >= image.width * image.channels;
  if (image.data == nullptr || image.channels < 1 || image.channels > 4 || !rows) {
    throw Error(ErrorCode::kShape,
                "a picture of " + std::to_string(image.channels) + " channels with rows of " +
                    std::to_string(image.row_bytes) +
                    " bytes, expected 1 to 4 channels, rows that hold all pixels, and memory that is not null");
  }
}

void CheckExtents(int64_t height, int64_t width) {
  constexpr int64_t kMost = 1 << 24;
  if (height < 1 || width < 1 || height > kMost || width > kMost) {
    throw Error(ErrorCode::kShape, "a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                       " pixels, expected 1 to " + std::to_string(kMost) + " a side");
  }
}

Image::Image(int64_t height, int64_t width, int64_t channels) : height_(height), width_(width), channels_(channels) {
  CheckExtents(height, width);
  if (channels < 1 || channels > 4) {
    throw Error(ErrorCode::kShape, "a picture of " + std::to_string(channels) + " channels, expected 1 to 4");
  }
  constexpr int64_t kMostBytes = int64_t{1} << 31;
  if (height * width > kMostBytes / channels) {
    throw Error(ErrorCode::kResource, "a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                          " pixels takes more than " + std::to_string(kMostBytes) + " bytes");
  }
  bytes_.resize(static_cast<std::size_t>(height * width * channels));
}

namespace {

/// The nearest integer. Halves are rounded to the even one, as Python's round does.
int64_t RoundHalfEven(double x) { return std::llrint(x); }

/// Copies the image into a frame with its upper left corner at (top, left). Pixels outside of the frame are left out.
void Paste(const ImageView& image, int64_t top, int64_t left, Image& frame) {
  const int64_t first_row = std::max<int64_t>(0, -top);
  const int64_t last_row = std::min(image.height, frame.height() - top);
  const int64_t first = std::max<int64_t>(0, -left) * image.channels;
  const int64_t last = std::min(image.width, frame.width() - left) * image.channels;
  for (int64_t y = first_row; y < last_row; ++y) {
    std::copy(image.row(y) + first, image.row(y) + last, frame.row(top + y) + left * image.channels + first);
  }
}

}  // namespace

Image Crop(const ImageView& image, int64_t top, int64_t left, int64_t height, int64_t width) {
  CheckImage(image);
  CheckExtents(height, width);
  if (top < 0 || left < 0 || top > image.height - height || left > image.width - width) {
    throw Error(ErrorCode::kShape, "a crop of " + std::to_string(width) + " x " + std::to_string(height) + " at (" +
                                       std::to_string(left) + ", " + std::to_string(top) + ") reaches out of " +
                                       std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels");
  }
  Image result(height, width, image.channels);
  Paste(image, -top, -left, result);
  return result;
}

Image CenterCrop(const ImageView& image, int64_t height, int64_t width) {
  CheckImage(image);
  Image result(height, width, image.channels);
  // The border before the picture and the part before the crop are rounded in different ways.
  const auto begin = [](int64_t extent, int64_t wanted) {
    return extent < wanted ? (wanted - extent) / 2 : -RoundHalfEven(static_cast<double>(extent - wanted) / 2);
  };
  Paste(image, begin(image.height, height), begin(image.width, width), result);
  return result;
}

Image ResizeShorterSide(const ImageView& image, int64_t size, Interpolation interpolation) {
  CheckImage(image);
  CheckExtents(size, size);
  const int64_t shorter = std::min(image.height, image.width);
  return Resize(image, size * image.height / shorter, size * image.width / shorter, interpolation);
}

Letterboxed Letterbox(const ImageView& image, int64_t height, int64_t width, uint8_t filling,
                      Interpolation interpolation) {
  CheckImage(image);
  Letterboxed result;
  result.image = Image(height, width, image.channels);
  result.scale = std::min(static_cast<double>(height) / static_cast<double>(image.height),
                          static_cast<double>(width) / static_cast<double>(image.width));
  const auto fitted = [&](int64_t extent, int64_t most) {
    return std::clamp<int64_t>(RoundHalfEven(static_cast<double>(extent) * result.scale), 1, most);
  };
  const int64_t rows = fitted(image.height, height);
  const int64_t columns = fitted(image.width, width);
  // The smaller half of an uneven border comes first.
  result.top = (height - rows) / 2;
  result.left = (width - columns) / 2;
  std::fill_n(result.image.row(0), height * width * image.channels, filling);
  Paste(Resize(image, rows, columns, interpolation), result.top, result.left, result.image);
  return result;
}

}  // namespace kuiper_infer
