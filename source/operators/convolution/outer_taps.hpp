// SPDX-License-Identifier: MIT
#pragma once

#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// The arguments of a convolution without the outer taps of its windows that lie in the padding at every position. Wide
/// dilations over small images have them. The weight must be constant. If there are no such taps, `given` comes back as
/// it is.
ConvolutionArguments WithoutOuterTaps(const ConvolutionArguments& given);

}  // namespace kuiper_infer
