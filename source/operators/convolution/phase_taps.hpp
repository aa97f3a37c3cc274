// SPDX-License-Identifier: MIT
#pragma once

#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// The taps of a transposed convolution's kernel that outputs of one phase read. The outputs of a phase are those
/// whose indices leave the same remainder by the stride; they read every stride-th tap.

/// One axis of a phase: windows of stride 1 over the input.
struct PhaseAxis {
  Window window;
  int64_t positions;  ///< the number of outputs
  int64_t first_tap;  ///< of the kernel, for the last tap of the window; the other taps follow a stride apart
};

/// The windows of the outputs with this remainder along an axis. `transposed` is the window of the transposed
/// convolution, which lies on the output; `image` is the extent of the input, `outputs` that of the output. The
/// result's padding_begin is negative if the first window begins behind the input's first element.
PhaseAxis MakePhaseAxis(const Window& transposed, int64_t image, int64_t outputs, int64_t remainder);

/// The weight of a phase, as that of a convolution (channels_out, channels_in, height, width), with values of its own:
/// the taps that `y` and `x` choose of `values`, the contiguous float32 weight (channels_in, channels_out, height,
/// width) of the transposed convolution.
TensorArgument PhaseWeight(const ConvolutionArguments& read, const NdArray& values, const PhaseAxis& y,
                           const PhaseAxis& x);

}  // namespace kuiper_infer
