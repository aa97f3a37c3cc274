// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer {

/// A picture in somebody's memory: rows of pixels of 8-bit channels side by side, as cameras, OpenCV's cv::Mat and
/// NumPy arrays of shape (height, width, channels) have it.
struct ImageView {
  const uint8_t* data = nullptr;
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;   ///< 1 to 4
  int64_t row_bytes = 0;  ///< from one row to the next

  ImageView() = default;
  /// A picture whose rows have no gaps, unless `bytes` says otherwise.
  ImageView(const uint8_t* pixels, int64_t rows, int64_t columns, int64_t depth, int64_t bytes = 0)
      : data(pixels), height(rows), width(columns), channels(depth), row_bytes(bytes > 0 ? bytes : columns * depth) {}

  const uint8_t* row(int64_t y) const { return data + y * row_bytes; }
};

/// A picture with memory of its own, rows without gaps.
class Image {
 public:
  Image() = default;
  /// A picture whose bytes are 0. Throws Error(kShape) unless the extents are positive and there are 1 to 4 channels,
  /// Error(kResource) where they ask for more than 2^31 bytes.
  Image(int64_t height, int64_t width, int64_t channels);

  int64_t height() const { return height_; }
  int64_t width() const { return width_; }
  int64_t channels() const { return channels_; }
  uint8_t* row(int64_t y) { return bytes_.data() + y * width_ * channels_; }
  const uint8_t* row(int64_t y) const { return bytes_.data() + y * width_ * channels_; }
  ImageView view() const { return {bytes_.data(), height_, width_, channels_}; }
  operator ImageView() const { return view(); }  // NOLINT: a picture is seen as one

 private:
  int64_t height_ = 0;
  int64_t width_ = 0;
  int64_t channels_ = 0;
  std::vector<uint8_t> bytes_;
};

enum class Interpolation {
  kNearest,    ///< the pixel under the output's centre
  kBilinear,   ///< between the four pixels around the output's centre, as OpenCV's INTER_LINEAR: makes patterns where
               ///< it shrinks
  kAntialias,  ///< triangles as wide as the output's pixels, as Pillow's BILINEAR and so torchvision's Resize of
               ///< pictures: the same bytes, or one off where Pillow takes the axes in the other order
};

/// The picture in another size.
Image Resize(const ImageView& image, int64_t height, int64_t width, Interpolation interpolation);

/// The picture with its shorter side so long and the other in proportion, rounded down, as torchvision's Resize(size).
Image ResizeShorterSide(const ImageView& image, int64_t size, Interpolation interpolation);

/// A rectangle of the picture; it must lie inside.
Image Crop(const ImageView& image, int64_t top, int64_t left, int64_t height, int64_t width);

/// The middle of the picture, as torchvision's CenterCrop; where the picture is smaller it gets a black border.
Image CenterCrop(const ImageView& image, int64_t height, int64_t width);

/// A picture fitted into another's frame, and how to get back.
struct Letterboxed {
  Image image;
  double scale = 1;  ///< of the picture: a point (x, y) of the frame is ((x - left) / scale, (y - top) / scale) in it
  int64_t left = 0;
  int64_t top = 0;
};

/// The picture as large as fits, in proportion, in the middle of a frame of grey `filling`, as the YOLO family's
/// detectors expect it.
Letterboxed Letterbox(const ImageView& image, int64_t height, int64_t width, uint8_t filling = 114,
                      Interpolation interpolation = Interpolation::kBilinear);

}  // namespace kuiper_infer
