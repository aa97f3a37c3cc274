// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/convolution/convolution.hpp"
#include "kernel/convolution/padded_image.hpp"
#include "kernel/elementwise/functions.hpp"
#include "shape/pixel_steps.hpp"

namespace kuiper_infer::kernel {

/// Convolutions of float images whose channels lie side by side. Vectors then go along the channels, whatever the
/// image's size.

struct ConvolutionMethod;  // convolution/convolution_method.hpp

/// A convolution with the method chosen for it, decided once so that the scratch memory is known before it runs.
struct ChannelsLastConvolution {
  ConvolutionGeometry geometry;
  /// Channels side by side and pixels evenly spaced, but for methods that read any order.
  ImageSteps input;
  const ConvolutionMethod* method = nullptr;
  /// Pieces that may run at once, each with its own part of the workspace; 1 leaves the threads to each product.
  int64_t slots = 1;
  int64_t tile = 1;  ///< window positions (or what else the method counts) of a piece
  int64_t slot_bytes = 0;
  int64_t workspace_bytes = 0;
};

/// Cuts the work for `threads` threads; running with another number of threads later is right too.
/// `method` suits the geometry and the input: see kernel::ChooseMethod.
ChannelsLastConvolution PlanChannelsLast(const ConvolutionGeometry& geometry, const ImageSteps& input, int threads,
                                         const ConvolutionMethod& method);

/// What a run reads and writes. The output and the addend have the shape (batch, positions, channels_out).
struct ChannelsLastArrays {
  const float* input = nullptr;
  /// Of the input's channels in each image, (batch, channels_in), for methods that take factors; null: ones.
  const float* factors = nullptr;
  const void* weight = nullptr;   ///< in the method's order
  const float* bias = nullptr;    ///< (channels_out) or null
  const float* addend = nullptr;  ///< added before the activation; null: nothing
  PixelSteps addend_steps;
  Activation activation;
  float* output = nullptr;
  PixelSteps output_steps;
  std::byte* workspace = nullptr;  ///< of workspace_bytes, 64-byte aligned
};

/// output = activation(convolution + bias + addend), see kernel::Convolution for the convolution itself.
void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
