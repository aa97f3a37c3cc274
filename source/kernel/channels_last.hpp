// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/convolution.hpp"
#include "kernel/functions.hpp"
#include "kernel/padded_image.hpp"
#include "kernel/pixel_steps.hpp"

namespace kuiper_infer::kernel {

/// Convolutions of float images whose channels lie side by side. Vectors then go along the channels, whatever the
/// image's size.

enum class ConvolutionMethod {
  kDirect,     ///< 1x1: the image is the matrix already
  kSegments,   ///< windows are read where they are, a run of pixels after the other, perhaps from a padded copy
  kRows,       ///< the pixels under each window are copied into a row of a matrix
  kDepthwise,  ///< one input channel for each output channel
  kGrouped,    ///< small groups, several in a vector
  kWinograd2,  ///< Winograd's F(2x2, 3x3)
  kWinograd4,  ///< Winograd's F(4x4, 3x3)
  kWinograd6,  ///< Winograd's F(6x6, 3x3)
};

const char* MethodName(ConvolutionMethod method);

/// Whether vectors go along the windows' own channels, not along a product's columns: see channels_last_depthwise.hpp.
inline bool IsChannelwise(ConvolutionMethod method) {
  return method == ConvolutionMethod::kDepthwise || method == ConvolutionMethod::kGrouped;
}

/// A convolution with the method chosen for it, decided once so that the scratch memory is known before it runs.
struct ChannelsLastConvolution {
  ConvolutionGeometry geometry;
  /// Where the image lies: channels side by side and pixels evenly spaced, for kSegments in any order.
  ImageSteps input;
  bool pads = false;  ///< kSegments: works on a padded copy
  ConvolutionMethod method = ConvolutionMethod::kRows;
  /// Pieces that may run at once, each with its own part of the workspace; 1 leaves the threads to each product.
  int64_t slots = 1;
  int64_t tile = 1;  ///< window positions of a piece
  int64_t slot_bytes = 0;
  int64_t workspace_bytes = 0;

  /// The form of the padded copy that kSegments works on.
  PaddedImages padded() const { return {geometry.batch, geometry.channels_in, geometry.grid}; }
  /// Floats from one row of the window matrix to the next.
  int64_t row_pitch() const;
};

/// Cuts the work for `threads` threads; running with another number of threads later is right too.
/// `method` suits the geometry and the input: see kernel::ChooseMethod.
ChannelsLastConvolution PlanChannelsLast(const ConvolutionGeometry& geometry, const ImageSteps& input, int threads,
                                         ConvolutionMethod method);

/// Floats that the weight takes in the order of the method.
int64_t PackedConvolutionSize(const ConvolutionGeometry& geometry, ConvolutionMethod method);
/// Brings a row-major weight (channels_out, channels_in / groups, taps) into the order of the method.
void PackConvolution(const ConvolutionGeometry& geometry, ConvolutionMethod method, const float* weight, float* packed);
/// Whether UnpackConvolution gives the weight of this method back, exactly; it can't for Winograd's, whose transform
/// rounds.
bool CanUnpack(ConvolutionMethod method);
void UnpackConvolution(const ConvolutionGeometry& geometry, ConvolutionMethod method, const float* packed,
                       float* weight);

/// What a run reads and writes. The output and the addend have the shape (batch, positions, channels_out).
struct ChannelsLastArrays {
  const float* input = nullptr;
  const float* factors = nullptr;  ///< kDirect: of the input's channels in each image, (batch, channels_in); null: ones
  const float* weight = nullptr;   ///< packed
  const float* bias = nullptr;     ///< (channels_out) or null
  const float* addend = nullptr;   ///< added before the activation; null: nothing
  PixelSteps addend_steps;
  Activation activation;
  float* output = nullptr;
  PixelSteps output_steps;
  std::byte* workspace = nullptr;  ///< of workspace_bytes, 64-byte aligned
};

/// output = activation(convolution + bias + addend), see kernel::Convolution for the convolution itself.
void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
