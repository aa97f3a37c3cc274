// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/choose_method.hpp"
#include "operation/computation.hpp"

namespace kuiper_infer {

/// What plans of convolutions by the channels-last kernels (kernel/convolution/channels_last.hpp) have in common: what
/// the choice of a method depends on, and the arrays as these kernels read and write them. Images are (batch,)
/// channels, extents; `channel_axis` is 1 with a batch and 0 without one.

/// Returns what the choice of a method depends on besides the convolution, for float32 numbers at the context's
/// precision. It points to the context's measurements.
kernel::MethodChoice ChoiceOf(const PlanningContext& context);

/// The distance, in elements, between neighbours along each axis of the image. An axis of extent 1 has no neighbours;
/// it gets the stride that keeps pixels evenly spaced, so that kernels which need even spacing can use the image.
kernel::ImageStrides ImageStridesOf(const TensorSpec& spec, int64_t channel_axis);

/// Whether an array is one factor for each channel of each image, side by side.
bool IsChannelFactor(const TensorSpec& factor, const TensorSpec& image, int64_t channel_axis);

/// Whether the channels-last kernels can add the fusion's residual, if it has one.
bool CanAdd(const Fusion& fusion, int64_t channel_axis);

/// Sets the arrays and functions of the kernel's epilogue (see CanAdd), and its output. The arrays are those of the
/// run, to which `arrays` only points.
void SetResult(const RunContext& c, const Fusion& fusion, int64_t channel_axis, kernel::ChannelsLastArrays& arrays);

/// Rounds the results of a convolution in `output`, (batch, positions, channels_out) with these strides, to a grid.
void RoundResult(const kernel::QuantizationGrid& grid, const kernel::ConvolutionGeometry& geometry,
                 const PixelStrides& strides, float* output);

}  // namespace kuiper_infer
