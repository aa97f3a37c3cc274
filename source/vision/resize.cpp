// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kuiper_infer/vision/image.hpp"
#include "vision/check.hpp"

namespace kuiper_infer {
namespace {

/// The weights for the output's pixels along one axis, in units of 2^-bits: they begin at the input's pixel `first[i]`.
struct Taps {
  int64_t count = 0;  ///< weights of each output; the last ones may be 0
  std::vector<int64_t> first;
  std::vector<int32_t> weights;

  Taps(int64_t outputs, int64_t taps)
      : count(taps), first(static_cast<std::size_t>(outputs)), weights(static_cast<std::size_t>(outputs * taps)) {}
};

/// Weights of triangles as wide as an output pixel, at least as an input pixel, cut off at the picture's edge;
/// normalised in double and rounded to 22 bits, as Pillow does (src/libImaging/Resample.c).
constexpr int kTriangleBits = 22;
// NOLINTBEGIN(bugprone-incorrect-roundings): its rounding, too.
Taps TriangleTaps(int64_t inputs, int64_t outputs) {
  const double scale = static_cast<double>(inputs) / static_cast<double>(outputs);
  const double support = std::max(scale, 1.0);
  Taps taps(outputs, static_cast<int64_t>(std::ceil(support)) * 2 + 1);
  std::vector<double> triangle(static_cast<std::size_t>(taps.count));
  for (int64_t i = 0; i < outputs; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(0, static_cast<int64_t>(center - support + 0.5));
    const int64_t last = std::min(inputs, static_cast<int64_t>(center + support + 0.5));
    double sum = 0;
    for (int64_t k = 0; k < last - first; ++k) {
      const double distance = std::abs((static_cast<double>(first + k) - center + 0.5) * (1 / support));
      triangle[k] = std::max(0.0, 1 - distance);
      sum += triangle[k];
    }
    for (int64_t k = 0; k < last - first; ++k) {
      taps.weights[i * taps.count + k] = static_cast<int32_t>(triangle[k] / sum * (1 << kTriangleBits) + 0.5);
    }
    taps.first[i] = first;
  }
  return taps;
}
// NOLINTEND(bugprone-incorrect-roundings)

/// Resizes one axis after the other, rows first. The result of each axis is rounded to bytes.
Image ResizeByTriangles(const ImageView& image, int64_t height, int64_t width) {
  const auto combine = [](const Taps& taps, int64_t i, int64_t inputs, const uint8_t* from, int64_t step) {
    int64_t sum = 1 << (kTriangleBits - 1);
    const int64_t count = std::min(taps.count, inputs - taps.first[i]);
    for (int64_t k = 0; k < count; ++k) {
      sum += static_cast<int64_t>(taps.weights[i * taps.count + k]) * from[(taps.first[i] + k) * step];
    }
    return static_cast<uint8_t>(std::clamp<int64_t>(sum >> kTriangleBits, 0, 255));
  };
  const int64_t channels = image.channels;
  Image rows(image.height, width, channels);
  const Taps across = TriangleTaps(image.width, width);
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      for (int64_t c = 0; c < channels; ++c) {
        rows.row(y)[x * channels + c] = image.width == width
                                            ? image.row(y)[x * channels + c]
                                            : combine(across, x, image.width, image.row(y) + c, channels);
      }
    }
  }
  if (image.height == height) return rows;
  Image result(height, width, channels);
  const Taps down = TriangleTaps(image.height, height);
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t k = 0; k < width * channels; ++k) {
      result.row(y)[k] = combine(down, y, image.height, rows.row(0) + k, width * channels);
    }
  }
  return result;
}

/// Weights of the two pixels around each output's centre, rounded to 11 bits, as OpenCV does for bytes.
constexpr int kPairBits = 11;
Taps PairTaps(int64_t inputs, int64_t outputs) {
  const double scale = static_cast<double>(inputs) / static_cast<double>(outputs);
  Taps taps(outputs, 2);
  for (int64_t i = 0; i < outputs; ++i) {
    const auto place = static_cast<float>((static_cast<double>(i) + 0.5) * scale - 0.5);
    const float below = std::floor(place);
    float part = place - below;
    auto first = static_cast<int64_t>(below);
    if (first < 0 || first >= inputs - 1) {
      first = std::clamp<int64_t>(first, 0, inputs - 1);
      part = 0;
    }
    taps.first[i] = first;
    taps.weights[2 * i] = static_cast<int32_t>(std::lrint((1 - part) * (1 << kPairBits)));
    taps.weights[2 * i + 1] = static_cast<int32_t>(std::lrint(part * (1 << kPairBits)));
  }
  return taps;
}

Image ResizeByPairs(const ImageView& image, int64_t height, int64_t width) {
  const int64_t channels = image.channels;
  Image result(height, width, channels);
  const Taps across = PairTaps(image.width, width);
  const Taps down = PairTaps(image.height, height);
  for (int64_t y = 0; y < height; ++y) {
    const uint8_t* upper = image.row(down.first[y]);
    const uint8_t* lower = image.row(std::min(down.first[y] + 1, image.height - 1));
    for (int64_t x = 0; x < width; ++x) {
      const int64_t left = across.first[x] * channels;
      const int64_t right = std::min(across.first[x] + 1, image.width - 1) * channels;
      const int32_t* weights = &across.weights[2 * x];
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t above = upper[left + c] * weights[0] + upper[right + c] * weights[1];
        const int64_t below = lower[left + c] * weights[0] + lower[right + c] * weights[1];
        const int64_t sum = above * down.weights[2 * y] + below * down.weights[2 * y + 1];
        result.row(y)[x * channels + c] = static_cast<uint8_t>((sum + (1 << (2 * kPairBits - 1))) >> (2 * kPairBits));
      }
    }
  }
  return result;
}

Image ResizeByNearest(const ImageView& image, int64_t height, int64_t width) {
  Image result(height, width, image.channels);
  for (int64_t y = 0; y < height; ++y) {
    const uint8_t* from = image.row((2 * y + 1) * image.height / (2 * height));
    for (int64_t x = 0; x < width; ++x) {
      const uint8_t* pixel = from + (2 * x + 1) * image.width / (2 * width) * image.channels;
      std::copy_n(pixel, image.channels, result.row(y) + x * image.channels);
    }
  }
  return result;
}

}  // namespace

Image Resize(const ImageView& image, int64_t height, int64_t width, Interpolation interpolation) {
  CheckImage(image);
  CheckExtents(height, width);
  if (height == image.height && width == image.width) return Crop(image, 0, 0, height, width);
  switch (interpolation) {
    case Interpolation::kNearest:
      return ResizeByNearest(image, height, width);
    case Interpolation::kBilinear:
      return ResizeByPairs(image, height, width);
    case Interpolation::kAntialias:
      break;
  }
  return ResizeByTriangles(image, height, width);
}

}  // namespace kuiper_infer
