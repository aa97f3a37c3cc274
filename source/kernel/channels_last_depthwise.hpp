// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Whether the vectors of the instruction set in use hold whole groups: kGrouped is made for those.
bool SuitsGroupedVectors(const ConvolutionGeometry& geometry);

/// A convolution by kDepthwise: as many output as input channels, each with a window of its own; or by kGrouped: small
/// groups, of which a vector of output channels holds several. The weight is packed as (taps, inputs of a group,
/// channels_out). Spread over threads by rows of the output.
void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

/// Computes the rows [first, last) of one plane output image, in this thread. `arrays.input` points to row
/// `first_input` of the image, `arrays.output` and `addend` to row `first` of the results.
void ConvolveDepthwiseRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                           int64_t first_input, int64_t first, int64_t last);

}  // namespace kuiper_infer::kernel
