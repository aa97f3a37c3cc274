// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/convolution.hpp"
#include "layer/abstract/arguments.hpp"

namespace kuiper_infer {

/// What convolutions and transposed ones read alike.
struct ConvolutionArguments {
  TensorArgument input;
  TensorArgument weight;
  const TensorArgument* bias = nullptr;
  bool batched = true;
  /// Extents of the input behind the channels.
  Shape image;
  /// One window an axis, without padding.
  std::vector<Window> windows;
  /// batch, channels and groups; the grid is still to be filled.
  kernel::ConvolutionGeometry geometry;
};

/// Reads input, weight, bias and groups of a convolution over `dimensions` axes (0: as many as the
/// weight has) and checks that they fit together. The weight is (channels_out, channels_in / groups, kernel...), for a
/// transposed convolution (channels_in, channels_out / groups, kernel...).
ConvolutionArguments ReadConvolutionArrays(const Arguments& arguments, int64_t dimensions, bool transposed);

/// Likewise, with stride and dilation, which the windows otherwise leave at 1.
ConvolutionArguments ReadConvolution(const Arguments& arguments, int64_t dimensions, bool transposed);

/// (batch,) channels, extents: the output's shape.
Shape ConvolutionOutputShape(const ConvolutionArguments& convolution, const Extents3& extents);

/// Sets the windows' padding from `padding`: numbers (one, one an axis, or pairs, innermost axis first), "valid",
/// "same", or an empty list, which the converter writes for "same" with an uneven amount.
void ReadPadding(const Arguments& arguments, std::vector<Window>& windows);

}  // namespace kuiper_infer
