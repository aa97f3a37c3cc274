// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer {

/// A picture in memory that the caller keeps alive: rows of pixels whose 8-bit channels lie side by side. Cameras,
/// OpenCV's cv::Mat and NumPy arrays of shape (height, width, channels) store pictures in this way.
struct ImageView {
  const uint8_t* data = nullptr;
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;   ///< 1 to 4
  int64_t row_bytes = 0;  ///< bytes from the start of a row to the start of the next

  ImageView() = default;
  /// A picture of `rows` x `columns` pixels of `depth` channels. `bytes` is row_bytes; 0 means rows without gaps.
  ImageView(const uint8_t* pixels, int64_t rows, int64_t columns, int64_t depth, int64_t bytes = 0)
      : data(pixels), height(rows), width(columns), channels(depth), row_bytes(bytes > 0 ? bytes : columns * depth) {}

  /// The first byte of a row.
  const uint8_t* row(int64_t y) const { return data + y * row_bytes; }
};

/// A picture with memory of its own, whose rows have no gaps.
class Image {
 public:
  Image() = default;
  /// A picture whose bytes are 0. Throws Error(kShape) unless the extents are positive and there are 1 to 4 channels,
  /// and Error(kResource) if the picture would take more than 2^31 bytes.
  Image(int64_t height, int64_t width, int64_t channels);

  int64_t height() const { return height_; }
  int64_t width() const { return width_; }
  int64_t channels() const { return channels_; }
  /// The first byte of a row.
  uint8_t* row(int64_t y) { return bytes_.data() + y * width_ * channels_; }
  const uint8_t* row(int64_t y) const { return bytes_.data() + y * width_ * channels_; }
  /// The picture as a view, valid as long as it lives.
  ImageView view() const { return {bytes_.data(), height_, width_, channels_}; }
  operator ImageView() const { return view(); }  // NOLINT: a picture is seen as one

 private:
  int64_t height_ = 0;
  int64_t width_ = 0;
  int64_t channels_ = 0;
  std::vector<uint8_t> bytes_;
};

/// How the pixels of a resized picture are computed.
enum class Interpolation {
  kNearest,    ///< the pixel at the centre of the output's pixel
  kBilinear,   ///< between the four pixels around the centre of the output's pixel, as OpenCV's INTER_LINEAR. Shrinking
               ///< by this method makes patterns (aliasing)
  kAntialias,  ///< weighted by triangles as wide as the output's pixels, as Pillow's BILINEAR and torchvision's Resize
               ///< of pictures. Bytes equal Pillow's, or differ by one if Pillow resizes the axes in the other order
};

/// The picture resized to `height` x `width`. Throws Error(kShape) unless these are positive.
Image Resize(const ImageView& image, int64_t height, int64_t width, Interpolation interpolation);

/// The picture resized such that its shorter side is `size` and the other side is in proportion, rounded down, as
/// torchvision's Resize(size).
Image ResizeShorterSide(const ImageView& image, int64_t size, Interpolation interpolation);

/// A rectangle of the picture. Throws Error(kShape) unless the rectangle lies inside.
Image Crop(const ImageView& image, int64_t top, int64_t left, int64_t height, int64_t width);

/// The middle of the picture, as torchvision's CenterCrop. If the picture is smaller, it gets a black border.
Image CenterCrop(const ImageView& image, int64_t height, int64_t width);

/// A picture fitted into a frame. The point (x, y) of the frame is the point ((x - left) / scale, (y - top) / scale) of
/// the original picture.
struct Letterboxed {
  Image image;       ///< the whole frame
  double scale = 1;  ///< by which the picture was resized
  int64_t left = 0;  ///< pixels of the frame left of the picture
  int64_t top = 0;   ///< pixels of the frame above the picture
};

/// The picture in the middle of a frame of `height` x `width` grey pixels of the value `filling`, resized in proportion
/// to the largest size that fits. The detectors of the YOLO family expect this.
Letterboxed Letterbox(const ImageView& image, int64_t height, int64_t width, uint8_t filling = 114,
                      Interpolation interpolation = Interpolation::kBilinear);

}  // namespace kuiper_infer
