// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/recurrent/rnn.hpp"

namespace kuiper_infer::kernel {

/// Computes one step of a batch item: `x` holds the input's share of the gates, `s` the state's, each `size` elements a
/// gate, biases included. The hidden state is updated in place, and so is the cell state, which only LSTM has.
void UpdateState(RecurrentCell kind, int64_t size, const float* x, const float* s, float* cell, float* hidden);
void UpdateState(RecurrentCell kind, int64_t size, const double* x, const double* s, double* cell, double* hidden);

}  // namespace kuiper_infer::kernel
