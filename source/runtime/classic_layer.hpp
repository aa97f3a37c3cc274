// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {

/// Runs a layer of the user's own on the tensors of its operands: the inputs are brought into cube order, the layer
/// fills (or allocates) the output tensors, which come back as one array. Throws Error with the layer's status; what
/// the layer throws becomes an Error that names the operator, with the layer's exception nested in it; an output of
/// another shape than the file records, though the inputs have theirs, is an Error too.
std::vector<Value> RunClassicLayer(const RuntimeOperator& op, const std::vector<Value>& inputs);

/// Allocates an operand's tensors for its shape, without touching the memory. Nothing where the shape is not known.
void AllocateOperandTensors(RuntimeOperand& operand);

}  // namespace kuiper_infer
