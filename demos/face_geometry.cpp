// SPDX-License-Identifier: MIT
#include "face_geometry.hpp"

#include <algorithm>

#include "suppression.hpp"

namespace demos {
namespace {

constexpr double kWindow = 12;
constexpr double kFactor = 0.709;

float OverlapOf(const Box& a, const Box& b, Overlap overlap) {
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (!(width > 0 && height > 0)) return 0;
  const float intersection = width * height;
  const float area_a = a.width() * a.height();
  const float area_b = b.width() * b.height();
  return intersection / (overlap == Overlap::kUnion ? area_a + area_b - intersection : std::min(area_a, area_b));
}

/// A coordinate without its fraction, between the limits; infinities and NaN are limits too.
int64_t Pixel(float coordinate, int64_t lowest, int64_t highest) {
  if (!(coordinate > static_cast<float>(lowest))) return lowest;
  if (coordinate >= static_cast<float>(highest)) return highest;
  return static_cast<int64_t>(coordinate);
}

}  // namespace

Box Shifted(const Box& box, const Shift& shift, float extra) {
  const float width = box.width() + extra;
  const float height = box.height() + extra;
  return {box.left + shift.left * width, box.top + shift.top * height, box.right + shift.right * width,
          box.bottom + shift.bottom * height, box.score};
}

Box Square(const Box& box) {
  const float side = std::max(box.width(), box.height());
  const float left = box.left + (box.width() - side) / 2;
  const float top = box.top + (box.height() - side) / 2;
  return {left, top, left + side, top + side, box.score};
}

std::vector<std::size_t> Suppress(const std::vector<Box>& boxes, float threshold, Overlap overlap) {
  return KeepBest(boxes,
                  [&](const Box& better, const Box& box) { return OverlapOf(better, box, overlap) > threshold; });
}

PixelArea InPicture(const Box& box, int64_t picture_width, int64_t picture_height) {
  const int64_t left = Pixel(box.left, 1, picture_width + 1) - 1;
  const int64_t top = Pixel(box.top, 1, picture_height + 1) - 1;
  return {left, top, Pixel(box.right, 0, picture_width) - left, Pixel(box.bottom, 0, picture_height) - top};
}

std::vector<double> PyramidScales(int64_t picture_width, int64_t picture_height, double smallest) {
  std::vector<double> scales;
  const auto shorter_side = static_cast<double>(std::min(picture_width, picture_height));
  for (double scale = kWindow / smallest; shorter_side * scale >= kWindow; scale *= kFactor) scales.push_back(scale);
  return scales;
}

}  // namespace demos
