// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {

/// Runs a layer that the program registered on the tensors of its operands. The inputs are converted to cube order, the
/// layer fills or allocates the output tensors, and these are returned as one array. Throws Error with the layer's
/// status if the layer fails. If the layer throws, throws an Error that names the operator, with the layer's exception
/// nested in it. If the inputs have the recorded shapes but the output has not, throws Error(kShape).
std::vector<Value> RunClassicLayer(const RuntimeOperator& op, const std::vector<Value>& inputs);

/// Allocates an operand's tensors for its shape, without touching their memory. Does nothing if the shape is not known.
void AllocateOperandTensors(RuntimeOperand& operand);

}  // namespace kuiper_infer
