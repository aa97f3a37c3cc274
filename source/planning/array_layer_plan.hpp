// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/layer/abstract/array_layer.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// Plans an operator that a program registered as an ArrayLayer: its outputs, and the call of the layer. Throws
/// NamedError.
OperationPlan PlanArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer,
                             const std::vector<Argument>& inputs);

/// Runs an operator with an ArrayLayer whose inputs are known only during the run. Throws NamedError.
std::vector<Value> RunArrayLayer(const RuntimeOperator& op, const ArrayLayer& layer, const std::vector<Value>& inputs);

}  // namespace kuiper_infer
