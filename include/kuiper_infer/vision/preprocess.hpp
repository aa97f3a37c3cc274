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

/// How bytes become a model's numbers: (byte / divisor - mean[c]) / deviation[c], channel by channel of the model's
/// order. The default is torchvision's ToTensor.
struct Normalization {
  float divisor = 255;
  std::array<float, 3> mean{0, 0, 0};
  std::array<float, 3> deviation{1, 1, 1};

  /// What a byte becomes in that channel of the model's.
  float Apply(uint8_t byte, int64_t channel) const;

  /// What models trained on ImageNet expect of RGB.
  static Normalization ImageNet() { return {255, {0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}}; }
};

/// The picture as float32 (1, channels, height, width). `from` is the picture's order, `to` the model's: kGray, kRgb or
/// kBgr. Alpha is left out, grey is repeated, colours become grey as in Pillow (0.299 R + 0.587 G + 0.114 B, rounded).
/// Throws Error(kShape) where the picture's channels are not those of `from`, Error(kInput) where the normalisation
/// does not give finite numbers: divisor and deviation must not be 0.
NdArray ImageToTensor(const ImageView& image, ColorOrder from, ColorOrder to = ColorOrder::kRgb,
                      const Normalization& normalization = {});

}  // namespace kuiper_infer
