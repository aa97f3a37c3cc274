// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Normalises each channel by `running_mean` and `running_var`, then scales by `weight` and shifts by `bias` if there
/// are any: batch normalisation, and instance normalisation with tracked statistics.
OperationPlan PlanKnownStatistics(const Arguments& arguments, int64_t channel_axis);

}  // namespace kuiper_infer
