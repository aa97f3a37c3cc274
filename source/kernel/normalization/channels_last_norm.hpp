// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "shape/pixel_strides.hpp"

namespace kuiper_infer::kernel {

/// Group normalisation of channels-last float images: each group of channels / groups channels of an image is
/// normalised to mean 0 and variance 1, then each channel is scaled and shifted. groups == channels is instance
/// normalisation.
struct ChannelsLastNorm {
  int64_t images = 1;
  int64_t positions = 1;  ///< pixels of an image
  int64_t channels = 1;
  int64_t groups = 1;
  double eps = 1e-5;
  PixelStrides input;

  /// The number of pixels over which sums are kept in float; sums of these are kept in double.
  static constexpr int64_t kChunk = 256;
  /// Floats of scratch that a run needs.
  int64_t workspace() const;
};

/// output = activation(normalised input). `weight` and `bias` hold a number for each channel, or are null (1 and 0).
void NormalizeChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* weight, const float* bias,
                           const Activation& activation, float* output, const PixelStrides& output_strides,
                           float* workspace);

/// output = activation((input - mean) * scale + shift). `rows` holds the means of all channels, then the scales, then
/// the shifts. The numbers of the next image follow `image_rows` floats later (0: one set for all images). Groups and
/// eps don't matter.
void ScaleChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* rows, int64_t image_rows,
                       const Activation& activation, float* output, const PixelStrides& output_strides);

}  // namespace kuiper_infer::kernel
