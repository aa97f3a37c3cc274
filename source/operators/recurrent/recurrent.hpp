// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/recurrent/rnn.hpp"
#include "operation/operation.hpp"
#include "operators/recurrent/recurrent_net.hpp"

namespace kuiper_infer {

/// Plans a recurrent net of any number of layers and directions around one cell. Arguments: input, h0, c0 (LSTM only),
/// hidden_size, num_layers, bias, batch_first, bidirectional, proj_size; weights are the operator's attributes, named
/// as in PyTorch. Outputs: the sequence and, if the model takes them, the final states.
OperationPlan PlanRecurrent(const Arguments& arguments, kernel::RecurrentCell cell);

/// Reads what PlanRecurrent needs, except for the initial states: the input, which is (steps, batch, size), (batch,
/// steps, size) or, without a batch, (steps, size), flags, sizes and weights.
RecurrentNet ReadRecurrentNet(const Arguments& arguments, kernel::RecurrentCell cell);

/// Completes a plan that has the net's outputs, of element type `type`, by the call.
void SetRecurrentCall(RecurrentNet net, RuntimeDataType type, OperationPlan& plan);

/// The schema of an operator that PlanRecurrent plans: `states` are the arguments that follow the input, `extra` those
/// of one cell only.
std::string RecurrentSchema(const std::string& states, const std::string& extra);

/// Plans a recurrent net from the arguments of PyTorch's function: the weights are one list `params`, layer by layer,
/// forward before reverse: weight_ih, weight_hh, then bias_ih, bias_hh with has_biases, then weight_hr where an LSTM
/// projects. The sizes follow from the weights' shapes. Weights may be computed. Messages call them by their names in a
/// module.
OperationPlan PlanRecurrentFunction(const Arguments& arguments, kernel::RecurrentCell cell);

/// The schema of a function that PlanRecurrentFunction plans: `states` is the argument that follows the input.
std::string RecurrentFunctionSchema(const std::string& states);

}  // namespace kuiper_infer
