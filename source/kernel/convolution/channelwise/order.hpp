// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/weight_order.hpp"

namespace kuiper_infer::kernel {

/// The order (taps, inputs of a group, all groups' outputs): vectors go along the outputs of several groups.
extern const WeightOrder kChannelwiseOrder;

}  // namespace kuiper_infer::kernel
