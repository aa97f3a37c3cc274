// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "data/memory_budget.hpp"
#include "kernel/pooling/channels_last_pooling.hpp"
#include "operation/operation.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {

/// Appends the boxes along an axis, range_of(position) for each. Throws Error(kResource) where memory could not hold
/// them.
template <class RangeOf>
void AppendRanges(std::vector<kernel::ChannelsLastPooling::Range>& axis, int64_t positions, const RangeOf& range_of) {
  RequireMemory(positions, sizeof(kernel::ChannelsLastPooling::Range));
  for (int64_t position = 0; position < positions; ++position) axis.push_back(range_of(position));
}

/// Pooling of a float32 input that lies channels-last; nothing for any other. The boxes are given, the rest is filled
/// in. The output is channels-last as well.
std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling);

}  // namespace kuiper_infer
