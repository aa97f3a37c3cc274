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
/// `packed` is all of the weight.
OperationPlan PlanPackedLinear(const TensorArgument& input, const TensorArgument& weight,
                               const std::shared_ptr<const PackedWeight>& packed, const TensorArgument* bias,
                               const Shape& output);

}  // namespace kuiper_infer
