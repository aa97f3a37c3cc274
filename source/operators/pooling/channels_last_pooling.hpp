// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "data/memory_budget.hpp"
#include "kernel/pooling/channels_last_pooling.hpp"
#include "operation/operation.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {

/// Appends the boxes along an axis: range_of(position) for each position. Throws Error(kResource) if memory could not
/// hold them.
template <class RangeOf>
void AppendRanges(std::vector<kernel::ChannelsLastPooling::Range>& axis, int64_t positions, const RangeOf& range_of) {
  RequireMemory(positions, sizeof(kernel::ChannelsLastPooling::Range));
  for (int64_t position = 0; position < positions; ++position) axis.push_back(range_of(position));
}

/// Plans the pooling of a channels-last float32 input; returns nothing for any other input. The caller gives the boxes;
/// this function fills in the other parameters. The output is channels-last, too.
std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling,
                                                  const PlanningContext& context);

}  // namespace kuiper_infer
