// SPDX-License-Identifier: MIT
#include "cli/picture/picture_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/vision/preprocess.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer::cli {
namespace {

[[noreturn]] void Fail(const std::string& text) { throw Error(ErrorCode::kInput, text); }

Image Fit(const ImageView& picture, const std::string& fit, int64_t height, int64_t width) {
  if (fit == "letterbox") return Letterbox(picture, height, width).image;
  if (fit == "stretch") return Resize(picture, height, width, Interpolation::kAntialias);
  if (fit != "crop") Fail("fit is '" + fit + "', expected stretch, crop or letterbox");
  // A square of 224 is the middle of a picture whose shorter side is 256.
  const double covering = std::max(static_cast<double>(height) / static_cast<double>(picture.height),
                                   static_cast<double>(width) / static_cast<double>(picture.width));
  const auto shorter = static_cast<double>(std::min(picture.height, picture.width));
  const auto side = static_cast<int64_t>(std::lround(shorter * covering * 256 / 224));
  return CenterCrop(ResizeShorterSide(picture, side, Interpolation::kAntialias), height, width);
}

std::pair<int64_t, int64_t> TargetSize(const ImageView& picture, const TensorSpec& spec,
                                       const std::vector<int64_t>& size) {
  int64_t height = spec.shape[spec.rank() - 2];
  int64_t width = spec.shape[spec.rank() - 1];
  if (!size.empty()) {
    if (size.size() != 2 || size[0] < 1 || size[1] < 1)
      Fail("size is " + NumbersString(size) + ", expected a positive height and width");
    if (height <= 0) height = size[0];
    if (width <= 0) width = size[1];
  }
  const auto proportional = [](int64_t side, int64_t own, int64_t other) {
    return std::max<int64_t>(
        1, std::llround(static_cast<double>(side) * static_cast<double>(other) / static_cast<double>(own)));
  };
  if (height <= 0) height = width > 0 ? proportional(width, picture.width, picture.height) : picture.height;
  if (width <= 0) width = proportional(height, picture.height, picture.width);
  return {height, width};
}

ColorOrder OrderOf(const std::string& color) {
  if (color == "rgb") return ColorOrder::kRgb;
  if (color == "bgr") return ColorOrder::kBgr;
  if (color != "gray") Fail("color is '" + color + "', expected rgb, bgr or gray");
  return ColorOrder::kGray;
}

/// One number for each channel. If none is given, the numbers of the array stay.
void Spread(const std::vector<float>& given, int64_t channels, const char* name, std::array<float, 3>& target) {
  if (given.empty()) return;
  if (given.size() != 1 && static_cast<int64_t>(given.size()) != channels) {
    Fail(std::string(name) + " has " + std::to_string(given.size()) + " numbers, expected 1" +
         (channels > 1 ? " or " + std::to_string(channels) : ""));
  }
  for (std::size_t c = 0; c < target.size(); ++c) target[c] = given[std::min(c, given.size() - 1)];
}

NdArray Prepare(const ImageView& picture, const TensorSpec& spec, const PictureInput& options) {
  const ColorOrder order = OrderOf(options.color);
  const int64_t channels = order == ColorOrder::kGray ? 1 : 3;
  const int64_t rank = spec.rank();
  const bool batched = rank == 4 && (spec.shape[0] == 1 || spec.shape[0] < 0);
  if (spec.type != RuntimeDataType::kTypeFloat32 || !(batched || rank == 3)) {
    Fail("expected float32 (1,C,H,W)");
  }
  const int64_t planes = spec.shape[rank - 3];
  if (planes >= 0 && planes != channels) {
    Fail("color " + options.color + " has " + std::to_string(channels) + " channels");
  }
  Normalization normalization;
  normalization.divisor = options.divisor;
  Spread(options.mean, channels, "mean", normalization.mean);
  Spread(options.deviation, channels, "std", normalization.deviation);
  const auto [height, width] = TargetSize(picture, spec, options.size);
  const Image fitted = Fit(picture, options.fit, height, width);
  const NdArray tensor = ImageToTensor(fitted, ColorOrder::kRgb, order, normalization);
  return rank == 4 ? tensor : tensor.Reshape({channels, fitted.height(), fitted.width()});
}

}  // namespace

NdArray PictureAsInput(const ImageView& picture, const std::string& who, const std::string& input,
                       const TensorSpec& spec, const PictureInput& options) {
  try {
    return Prepare(picture, spec, options);
  } catch (const Error& error) {
    throw Error(error.code(), who + " cannot be input '" + input + "' " + SpecString(spec) + ": " + error.what());
  }
}

}  // namespace kuiper_infer::cli
