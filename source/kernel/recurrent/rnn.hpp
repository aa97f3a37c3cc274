// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/product.hpp"

namespace kuiper_infer::kernel {

/// The function of the gates of a recurrent net in one step, by the formulas of PyTorch's nn.LSTM, nn.GRU, nn.RNN.
enum class RecurrentCell {
  kLstm,  ///< gates i, f, g, o
  kGru,   ///< gates r, z, n
  kTanh,  ///< one gate
  kRelu,
};

/// The number of gates that a cell has.
int64_t GateCount(RecurrentCell cell);

/// The sizes of one direction of one layer. Input and output are matrices with a row for each step t and batch item n,
/// number t * step_rows + n * batch_rows: (steps, batch) or (batch, steps) order.
struct RecurrentGeometry {
  RecurrentCell cell = RecurrentCell::kLstm;
  int64_t steps = 1;
  int64_t batch = 1;
  int64_t step_rows = 1;
  int64_t batch_rows = 1;
  int64_t input_size = 1;
  int64_t hidden_size = 1;
  /// Width of the hidden state: the projection's if there is one, otherwise hidden_size.
  int64_t state_size = 1;
  /// Distance of rows in the output, at least state_size.
  int64_t output_pitch = 1;
  bool reverse = false;  ///< from the last step to the first
};

/// The weights: row-major matrices, named as in PyTorch.
template <class T>
struct RecurrentWeights {
  const T* weight_ih = nullptr;  ///< (gates * hidden_size, input_size)
  const T* weight_hh = nullptr;  ///< (gates * hidden_size, state_size)
  const T* bias_ih = nullptr;    ///< (gates * hidden_size) or null
  const T* bias_hh = nullptr;    ///< (gates * hidden_size) or null
  const T* weight_hr = nullptr;  ///< (state_size, hidden_size), LSTM only, or null
  /// The packed matrices. If one is given, the plain matrix is not read. Only for float.
  PackedFactor packed_ih = {};
  PackedFactor packed_hh = {};
  PackedFactor packed_hr = {};
};

/// Elements of scratch that RunRecurrent needs.
int64_t RecurrentWorkspace(const RecurrentGeometry& geometry);

/// Runs all steps. `hidden` (batch, state_size) and, for LSTM, `cell` (batch, hidden_size) hold the initial state and
/// receive the final one. The input's share of the gates is one matrix product for all steps, the state's share one for
/// each step. Arrays must not overlap. Instantiated for float and double.
template <class T>
void RunRecurrent(const RecurrentGeometry& geometry, const RecurrentWeights<T>& weights, const T* input, T* output,
                  T* hidden, T* cell, T* workspace);

}  // namespace kuiper_infer::kernel
