// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/layer/abstract/array_layer.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// What an operator of a user's own becomes whose inputs are planned: its outputs, and the call of its layer. Throws
/// NamedError.
OperationPlan PlanArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer,
                             const std::vector<Argument>& inputs);

/// Runs such an operator on inputs that only the run has told. Throws NamedError.
std::vector<Value> RunArrayLayer(const RuntimeOperator& op, const ArrayLayer& layer, const std::vector<Value>& inputs);

}  // namespace kuiper_infer
