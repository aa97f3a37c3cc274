// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernel/recurrent/rnn.hpp"
#include "operation/operation.hpp"
#include "operation/weights/packed_weight.hpp"

namespace kuiper_infer {

/// A packed weight with the kernel that reads it. Null if the weight is no constant or this CPU has no kernels for it.
struct PackedRows {
  std::shared_ptr<const PackedWeight> weight;
  const kernel::ProductKernel* kernel = nullptr;

  kernel::PackedFactor Factor() const { return weight != nullptr ? weight->FactorOf(*kernel) : kernel::PackedFactor(); }
};

/// RunContext indices of the arrays of one direction of one layer, -1 where absent.
struct RecurrentPass {
  int weight_ih, weight_hh, bias_ih, bias_hh, weight_hr;
  PackedRows packed_ih = {};
  PackedRows packed_hh = {};
  PackedRows packed_hr = {};
};

/// The data of a run of a recurrent net. Sizes count elements.
struct RecurrentNet {
  kernel::RecurrentGeometry geometry;  ///< of the first layer, forward
  int64_t layers = 1;
  int64_t directions = 1;
  std::vector<RecurrentPass> passes;  ///< layer by layer, forward before reverse
  std::vector<PackedInput> packed_inputs;
  int input = -1;
  int hidden = -1;
  int cell = -1;
  // Indices of RunContext::outputs; -1 if the state is scratch memory and not an output.
  int sequence_output = 0;
  int hidden_output = -1;
  int cell_output = -1;

  int64_t rows() const { return geometry.steps * geometry.batch; }
  int64_t width() const { return directions * geometry.state_size; }
  int64_t hidden_size() const { return geometry.batch * geometry.state_size; }  ///< of one pass
  int64_t cell_size() const {
    return geometry.cell == kernel::RecurrentCell::kLstm ? geometry.batch * geometry.hidden_size : 0;
  }
  int64_t passes_count() const { return layers * directions; }
  std::string Method() const;  ///< of the first product that isn't float32's, for reports
};

/// The geometry of another layer than the first.
kernel::RecurrentGeometry RecurrentLayerGeometry(const RecurrentNet& net, int64_t layer);

/// The parts of the workspace of a recurrent net, in elements from its start.
struct RecurrentWorkspace {
  std::array<int64_t, 2> sequences;  ///< outputs of inner layers, by turns
  int64_t hidden, cell, pass, total;
  int64_t pass_size;  ///< of each direction
};

RecurrentWorkspace MakeRecurrentWorkspace(const RecurrentNet& net);

/// Runs the layers one after the other. If there are few threads, the directions of a layer run side by side.
/// Instantiated for float and double.
template <class T>
void RunRecurrentNet(const RecurrentNet& net, const RecurrentWorkspace& space, const RunContext& context);

}  // namespace kuiper_infer
