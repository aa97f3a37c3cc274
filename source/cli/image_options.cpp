// SPDX-License-Identifier: MIT
#include "cli/image_options.hpp"

#include <algorithm>
#include <cmath>

#include "cli/picture.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/vision/preprocess.hpp"

namespace kuiper_infer::cli {
namespace {

Image Fit(const Image& picture, const std::string& fit, int64_t height, int64_t width) {
  if (fit == "letterbox") return Letterbox(picture, height, width).image;
  if (fit == "stretch") return Resize(picture, height, width, Interpolation::kAntialias);
  // A square of 224 is the middle of a picture whose shorter side is 256.
  const double covering = std::max(static_cast<double>(height) / static_cast<double>(picture.height()),
                                   static_cast<double>(width) / static_cast<double>(picture.width()));
  const auto shorter = static_cast<double>(std::min(picture.height(), picture.width()));
  const auto side = static_cast<int64_t>(std::lround(shorter * covering * 256 / 224));
  return CenterCrop(ResizeShorterSide(picture, side, Interpolation::kAntialias), height, width);
}

}  // namespace

void ImageOptions::AddTo(const Command& command) {
  command.Add("--image", files, "A PNG or JPEG file for an input, turned upright: FILE or NAME=FILE");
  command.Add("--image-fit", fit, "stretch to the input's size, crop the middle of a larger one, or letterbox")
      .OneOf({"stretch", "crop", "letterbox"})
      .ShowsDefault();
  command.Add("--image-size", size, "Height and width where the model leaves them free")
      .Values(2, 2)
      .InRange(1, 1 << 16);
  command.Add("--color", color, "The channels' order that the model expects of pictures")
      .OneOf({"rgb", "bgr", "gray"})
      .ShowsDefault();
  command.Add("--divisor", divisor, "What the bytes of pictures are divided by, before mean and deviation")
      .Positive()
      .ShowsDefault();
  command.Add("--mean", mean, "Subtracted from each channel then, for example 0.485 0.456 0.406").Values(1, 3);
  command.Add("--std", deviation, "What each channel is divided by then").Values(1, 3);
}

/// The size that a picture is brought to. Where the model leaves an extent free: what was asked for, else in proportion
/// to the other side, else the picture's.
std::pair<int64_t, int64_t> ImageOptions::TargetSize(const Image& picture, const TensorSpec& spec) const {
  int64_t height = spec.shape[spec.rank() - 2];
  int64_t width = spec.shape[spec.rank() - 1];
  if (!size.empty()) {
    if (height <= 0) height = size[0];
    if (width <= 0) width = size[1];
  }
  const auto proportional = [](int64_t side, int64_t own, int64_t other) {
    return std::max<int64_t>(
        1, std::llround(static_cast<double>(side) * static_cast<double>(other) / static_cast<double>(own)));
  };
  if (height <= 0) height = width > 0 ? proportional(width, picture.width(), picture.height()) : picture.height();
  if (width <= 0) width = proportional(height, picture.height(), picture.width());
  return {height, width};
}

NdArray ImageOptions::Read(const std::string& file, const std::string& input, const TensorSpec& spec) const {
  const int64_t channels = color == "gray" ? 1 : 3;
  const int64_t rank = spec.rank();
  const auto fail = [&](const std::string& text) {
    throw Error(ErrorCode::kInput,
                "picture '" + file + "' cannot be input '" + input + "' " + SpecString(spec) + ": " + text);
  };
  const bool batched = rank == 4 && (spec.shape[0] == 1 || spec.shape[0] < 0);
  if (spec.type != RuntimeDataType::kTypeFloat32 || !(batched || rank == 3)) fail("expected float32 (1,C,H,W)");
  const int64_t planes = spec.shape[rank - 3];
  if (planes >= 0 && planes != channels) fail("--color " + color + " has " + std::to_string(channels) + " channels");
  const Image picture = ReadPicture(file);
  const auto [height, width] = TargetSize(picture, spec);
  const Image fitted = Fit(picture, fit, height, width);
  Normalization normalization;
  normalization.divisor = divisor;
  const auto spread = [&](const std::vector<float>& given, std::array<float, 3>& target, const char* option) {
    if (given.empty()) return;
    if (given.size() != 1 && static_cast<int64_t>(given.size()) != channels) {
      fail(std::string(option) + " has " + std::to_string(given.size()) + " numbers");
    }
    for (std::size_t c = 0; c < target.size(); ++c) target[c] = given[std::min(c, given.size() - 1)];
  };
  spread(mean, normalization.mean, "--mean");
  spread(deviation, normalization.deviation, "--std");
  const ColorOrder order = color == "gray" ? ColorOrder::kGray : (color == "bgr" ? ColorOrder::kBgr : ColorOrder::kRgb);
  const NdArray tensor = ImageToTensor(fitted, ColorOrder::kRgb, order, normalization);
  return rank == 4 ? tensor : tensor.Reshape({channels, fitted.height(), fitted.width()});
}

}  // namespace kuiper_infer::cli
