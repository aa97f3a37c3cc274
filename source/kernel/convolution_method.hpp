// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// The method that should be fastest on `threads` threads. The environment variable KUIPER_CONVOLUTION forces one of
/// "rows", "winograd2" and "winograd4" on the convolutions that it suits.
ConvolutionMethod ChooseMethod(const ConvolutionGeometry& geometry, int threads);

}  // namespace kuiper_infer::kernel
