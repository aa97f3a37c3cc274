// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "operators/sampling/upsample_arguments.hpp"

namespace kuiper_infer {

/// Plans the resizing of a channels-last float32 image, whose result is channels-last, too. Returns nothing for any
/// other input, and for means of windows (UpsampleArguments::area).
std::optional<OperationPlan> PlanChannelsLastResize(const UpsampleArguments& read);

}  // namespace kuiper_infer
