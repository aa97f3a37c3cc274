// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/convolution/convolution_method.hpp"

namespace kuiper_infer::kernel {

/// The fastest of the candidates (at least one, all suit the geometry) in a few runs each on channels-last images of
/// zeros. The answer is kept: later calls with the same arguments give it at once, from any thread. Where
/// the arrays would take more than a limit, the first candidate is the answer.
const ConvolutionMethod* FastestMethod(const ConvolutionGeometry& geometry,
                                       const std::vector<const ConvolutionMethod*>& candidates, int threads);

}  // namespace kuiper_infer::kernel
