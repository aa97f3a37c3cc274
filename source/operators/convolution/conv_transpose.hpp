// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "operation/operation.hpp"
#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// Plans a transposed convolution over as many axes as its weight has behind the channels.
OperationPlan PlanTransposedConvolution(const Arguments& arguments);

/// Plans a transposed convolution of stride s as s ordinary convolutions along each axis: outputs whose indices leave
/// the same remainder by s read the same taps, every s-th of the kernel. The channels-last kernels compute them, and
/// the output is channels-last. Returns nothing if these kernels don't support the arrays or the CPU. The windows of
/// `read.geometry.grid` lie on the output (see conv_transpose.cpp).
std::optional<OperationPlan> PlanTransposedPhases(const PlanningContext& context, const ConvolutionArguments& read);

}  // namespace kuiper_infer
