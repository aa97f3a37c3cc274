// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "layer/abstract/operation.hpp"
#include "layer/details/packed_weight.hpp"

namespace kuiper_infer {

/// Products of float rows by a constant weight that is packed ahead.

/// Whether the arrays allow it: an input in row-major order, and a bias (null: none) of one number a column.
bool SuitsPackedLinear(const TensorArgument& input, const TensorArgument* bias, const Shape& output);

/// input @ weight + bias over the input's last axis, as one new array; activations and additions can be joined.
OperationPlan PlanPackedLinear(const TensorArgument& input, const std::shared_ptr<const PackedWeight>& weight,
                               const TensorArgument* bias, const Shape& output);

}  // namespace kuiper_infer
