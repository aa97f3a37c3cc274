// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "../data/ndarray.hpp"
#include "image.hpp"

namespace kuiper_infer {

/// The order of a picture's channels. OpenCV reads pictures as BGR, nearly everything else as RGB.
enum class ColorOrder { kGray, kRgb, kBgr, kRgba, kBgra };

/// Channels of an order: 1, 3 or 4.
int64_t ChannelCount(ColorOrder order);

/// How bytes become a model's numbers: (byte / divisor - mean[c]) / deviation[c], where c counts the channels in the
/// model's order. The default is torchvision's ToTensor.
struct Normalization {
  float divisor = 255;
  std::array<float, 3> mean{0, 0, 0};
  std::array<float, 3> deviation{1, 1, 1};

  /// The number that a byte becomes in a channel of the model.
  float Apply(uint8_t byte, int64_t channel) const;

  /// The normalisation that models trained on ImageNet expect for RGB pictures.
  static Normalization ImageNet() { return {255, {0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}}; }
};

/// The picture as a row-major float32 array (1, channels, height, width). `from` is the order of the picture's
/// channels, `to` the order of the model's: kGray, kRgb or kBgr. Alpha is left out. Grey is repeated for each colour.
/// Colours become grey as in Pillow (0.299 R + 0.587 G + 0.114 B, rounded). Throws Error(kShape) if the picture does
/// not have the channels of `from`, Error(kArgument) for another `to`, and Error(kInput) if the normalisation does not
/// give finite numbers: divisor and deviation must not be 0.
NdArray ImageToTensor(const ImageView& image, ColorOrder from, ColorOrder to = ColorOrder::kRgb,
                      const Normalization& normalization = {});

}  // namespace kuiper_infer
