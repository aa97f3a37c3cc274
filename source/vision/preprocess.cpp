// SPDX-License-Identifier: MIT
#include "kuiper_infer/vision/preprocess.hpp"

#include <array>
#include <cmath>
#include <sstream>

#include "vision/check.hpp"

namespace kuiper_infer {
namespace {

const char* NameOf(ColorOrder order) {
  switch (order) {
    case ColorOrder::kGray:
      return "grey";
    case ColorOrder::kRgb:
      return "RGB";
    case ColorOrder::kBgr:
      return "BGR";
    case ColorOrder::kRgba:
      return "RGBA";
    case ColorOrder::kBgra:
      break;
  }
  return "BGRA";
}

/// Returns the places of red, green and blue in a pixel.
std::array<int64_t, 3> PlacesOf(ColorOrder order) {
  if (order == ColorOrder::kGray) return {0, 0, 0};
  if (order == ColorOrder::kRgb || order == ColorOrder::kRgba) return {0, 1, 2};
  return {2, 1, 0};
}

/// The grey of a colour, by Pillow's integers for 0.299, 0.587 and 0.114.
uint8_t GrayOf(int red, int green, int blue) {
  return static_cast<uint8_t>((red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16);
}

/// Throws unless every byte becomes a finite number in each of the model's planes. The numbers of a plane lie between
/// those of the bytes 0 and 255.
void CheckNormalization(const Normalization& normalization, int64_t planes) {
  for (int64_t plane = 0; plane < planes; ++plane) {
    const bool finite = std::isfinite(normalization.divisor) && std::isfinite(normalization.deviation[plane]);
    if (finite && std::isfinite(normalization.Apply(0, plane)) && std::isfinite(normalization.Apply(255, plane))) {
      continue;
    }
    std::ostringstream text;
    text << "divisor is " << normalization.divisor << ", mean " << normalization.mean[plane] << ", deviation "
         << normalization.deviation[plane] << " for channel " << plane
         << ", expected finite numbers, and divisor and deviation other than 0";
    throw Error(ErrorCode::kInput, text.str());
  }
}

}  // namespace

float Normalization::Apply(uint8_t byte, int64_t channel) const {
  return (static_cast<float>(byte) / divisor - mean[channel]) / deviation[channel];
}

int64_t ChannelCount(ColorOrder order) {
  if (order == ColorOrder::kGray) return 1;
  return order == ColorOrder::kRgb || order == ColorOrder::kBgr ? 3 : 4;
}

NdArray ImageToTensor(const ImageView& image, ColorOrder from, ColorOrder to, const Normalization& normalization) {
  CheckImage(image);
  if (image.channels != ChannelCount(from)) {
    throw Error(ErrorCode::kShape, "the picture has " + std::to_string(image.channels) + " channels, expected " +
                                       std::to_string(ChannelCount(from)) + " for " + NameOf(from));
  }
  const int64_t planes = ChannelCount(to);
  if (planes == 4)
    throw Error(ErrorCode::kArgument,
                std::string("the order for the model is ") + NameOf(to) + ", expected RGB, BGR or grey");
  CheckNormalization(normalization, planes);
  const std::array<int64_t, 3> places = PlacesOf(from);
  const std::array<int64_t, 3> order = PlacesOf(to);
  const bool mixes = to == ColorOrder::kGray && from != ColorOrder::kGray;
  NdArray tensor(RuntimeDataType::kTypeFloat32, {1, planes, image.height, image.width});
  for (int64_t plane = 0; plane < planes; ++plane) {
    // The table holds the number for each byte. A division for each pixel would take most of the time.
    std::array<float, 256> values;
    for (int byte = 0; byte < 256; ++byte) {
      values[byte] = normalization.Apply(static_cast<uint8_t>(byte), plane);
    }
    float* target = tensor.data<float>() + plane * image.height * image.width;
    for (int64_t y = 0; y < image.height; ++y) {
      const uint8_t* pixel = image.row(y);
      for (int64_t x = 0; x < image.width; ++x, pixel += image.channels) {
        const uint8_t byte =
            mixes ? GrayOf(pixel[places[0]], pixel[places[1]], pixel[places[2]]) : pixel[places[order[plane]]];
        *target++ = values[byte];
      }
    }
  }
  return tensor;
}

}  // namespace kuiper_infer
