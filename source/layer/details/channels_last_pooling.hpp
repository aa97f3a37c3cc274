// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernel/channels_last_pooling.hpp"
#include "layer/abstract/operation.hpp"
#include "layer/details/parameters.hpp"

namespace kuiper_infer {

/// Pooling of a float32 input that lies channels-last; nothing for any other. The boxes are given, the rest is filled
/// in. The output is channels-last as well.
std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling);

}  // namespace kuiper_infer
