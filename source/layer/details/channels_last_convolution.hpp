// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layer/abstract/operation.hpp"
#include "layer/details/convolution_arguments.hpp"

namespace kuiper_infer {

/// A convolution by the channels-last kernels (kernel/channels_last.hpp), whose output is
/// channels-last as well. Nothing where they aren't made for the arrays or the CPU, or the planar kernels are faster.
std::optional<OperationPlan> PlanChannelsLastConvolution(const PlanningContext& context,
                                                         const ConvolutionArguments& read);

/// Whether the channels-last kernels can add what the fusion says, if anything.
bool CanAdd(const Fusion& fusion, int64_t channel_axis);

/// Fills in what such a kernel adds and applies at the end (see CanAdd), and where it writes.
void SetResult(const RunContext& c, const Fusion& fusion, int64_t channel_axis, kernel::ChannelsLastArrays& arrays);

}  // namespace kuiper_infer
