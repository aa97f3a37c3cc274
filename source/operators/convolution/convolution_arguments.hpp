// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernel/convolution/convolution.hpp"
#include "operation/strided_operand.hpp"

namespace kuiper_infer {

/// The arguments that convolutions and transposed ones have in common.
struct ConvolutionArguments {
  TensorArgument input;
  TensorArgument weight;
  std::optional<TensorArgument> bias;
  bool batched = true;
  /// The extents of the input behind the channels.
  Shape image;
  /// One window an axis, without padding.
  std::vector<Window> windows;
  /// batch, channels and groups; the grid is still to be filled.
  kernel::ConvolutionGeometry geometry;
  /// Padding with elements of the image, which is made before the convolution: the input's shape with the padding, and
  /// the number of elements in front of each axis. Empty if there is no such padding.
  kernel::PadMode pad_mode = kernel::PadMode::kConstant;
  Shape padded_shape;
  Shape pad_begin;

  /// The bias among RunContext::inputs; -1: none.
  int bias_input() const { return bias.has_value() ? bias->input : -1; }

  /// Returns the input as a kernel needs it: padded if necessary, and copied unless it is `ready`.
  StridedOperand Input(const AxisOrder& order, bool ready, int64_t& workspace_bytes) const {
    return padded_shape.empty() ? MakeOrderedOperand(input, order, ready, workspace_bytes)
                                : MakePaddedOperand(input, order, pad_mode, pad_begin, padded_shape, workspace_bytes);
  }
};

/// Reads input, weight, bias and groups of a convolution over `dimensions` axes (0: as many as the
/// weight has) and checks that they fit together. The weight is (channels_out, channels_in / groups, kernel...), for a
/// transposed convolution (channels_in, channels_out / groups, kernel...).
ConvolutionArguments ReadConvolutionArrays(const Arguments& arguments, int64_t dimensions, bool transposed);

/// Reads what ReadConvolutionArrays reads, and stride and dilation, which ReadConvolutionArrays leaves at 1.
ConvolutionArguments ReadConvolution(const Arguments& arguments, int64_t dimensions, bool transposed);

/// The output's shape: (batch,) channels, extents.
Shape ConvolutionOutputShape(const ConvolutionArguments& convolution, const Extents3& extents);

/// Sets the windows' padding from `padding`: numbers (one, one an axis, or pairs, innermost axis first), "valid" or
/// "same".
void ReadPadding(const Arguments& arguments, std::vector<Window>& windows);

}  // namespace kuiper_infer
