// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layer/abstract/operation.hpp"
#include "layer/details/convolution_arguments.hpp"

namespace kuiper_infer {

/// A convolution by the channels-last kernels (kernel/channels_last.hpp), whose output is
/// channels-last as well. Nothing where they aren't made for the arrays or the CPU, or the planar kernels are faster.
std::optional<OperationPlan> PlanChannelsLastConvolution(const ConvolutionArguments& read);

}  // namespace kuiper_infer
