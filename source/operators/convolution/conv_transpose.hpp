// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "operation/operation.hpp"
#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// Plans a transposed convolution over as many axes as its weight has behind the channels.
OperationPlan PlanTransposedConvolution(const Arguments& arguments);

/// A transposed convolution of stride s as s ordinary ones along each axis: the outputs whose index leaves the
/// remainder r by s meet every s-th tap of the kernel. By the channels-last kernels, and channels-last. Nothing where
/// those are not made for the arrays or the CPU. The grid of `read` has its windows on the output (see
/// conv_transpose.cpp).
std::optional<OperationPlan> PlanTransposedPhases(const PlanningContext& context, const ConvolutionArguments& read);

}  // namespace kuiper_infer
