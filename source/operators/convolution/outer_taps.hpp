// SPDX-License-Identifier: MIT
#pragma once

#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// The arguments of a convolution without the outer taps of its windows that lie in the padding at every position, as
/// those of wide dilations over small images do. The weight must be constant; `given` without such taps comes back as
/// it is.
ConvolutionArguments WithoutOuterTaps(const ConvolutionArguments& given);

}  // namespace kuiper_infer
