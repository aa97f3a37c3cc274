// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// The method that should be fastest on `threads` threads for input that is channels-last already or, otherwise, has to
/// be copied: by an estimate, or by a measurement in a MeasureScope. The environment variable KUIPER_CONVOLUTION forces
/// one of "rows", "segments", "winograd2", "winograd4" and "winograd6" on the convolutions that it suits.
ConvolutionMethod ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last, int threads);

/// Whether kSegments is made for a geometry: two-dimensional, one group, no dilation along the rows.
bool SuitsSegments(const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel
