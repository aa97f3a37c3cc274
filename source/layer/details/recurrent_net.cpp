// SPDX-License-Identifier: MIT
#include "layer/details/recurrent_net.hpp"

#include <algorithm>

#include "layer/details/parameters.hpp"

namespace kuiper_infer {
namespace {

/// Sets a state to its initial value: an input, or zero.
template <class T>
void Initialise(const T* initial, int64_t count, T* state) {
  if (initial != nullptr) {
    std::copy_n(initial, count, state);
  } else {
    std::fill_n(state, count, T(0));
  }
}

}  // namespace

kernel::RecurrentGeometry RecurrentLayerGeometry(const RecurrentNet& net, int64_t layer) {
  kernel::RecurrentGeometry geometry = net.geometry;
  if (layer > 0) geometry.input_size = net.width();
  return geometry;
}

RecurrentWorkspace MakeRecurrentWorkspace(const RecurrentNet& net) {
  int64_t used = 0;
  const auto take = [&used](int64_t count) {
    constexpr int64_t kAlignment = 16;
    const int64_t start = used;
    used += (count + kAlignment - 1) / kAlignment * kAlignment;
    return start;
  };
  RecurrentWorkspace space{};
  const int64_t sequence = net.rows() * net.width();
  space.sequences = {take(net.layers > 1 ? sequence : 0), take(net.layers > 2 ? sequence : 0)};
  space.hidden = take(net.hidden_output < 0 ? net.passes_count() * net.hidden_size() : 0);
  space.cell = take(net.cell_output < 0 ? net.passes_count() * net.cell_size() : 0);
  space.pass = take(kernel::RecurrentWorkspace(net.geometry));
  space.total = used;
  return space;
}

template <class T>
void RunRecurrentNet(const RecurrentNet& net, const RecurrentWorkspace& space, const RunContext& c) {
  T* scratch = reinterpret_cast<T*>(c.workspace);
  T* hidden = net.hidden_output >= 0 ? c.outputs[net.hidden_output].as<T>() : scratch + space.hidden;
  T* cell = net.cell_output >= 0 ? c.outputs[net.cell_output].as<T>() : scratch + space.cell;
  Initialise(DataOrNull<T>(c, net.hidden), net.passes_count() * net.hidden_size(), hidden);
  Initialise(DataOrNull<T>(c, net.cell), net.passes_count() * net.cell_size(), cell);
  const T* input = c.inputs[net.input].as<T>();
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    const bool last = layer + 1 == net.layers;
    T* output = last ? c.outputs[net.sequence_output].as<T>() : scratch + space.sequences[layer % 2];
    kernel::RecurrentGeometry geometry = RecurrentLayerGeometry(net, layer);
    for (int64_t direction = 0; direction < net.directions; ++direction) {
      geometry.reverse = direction == 1;
      const int64_t pass = layer * net.directions + direction;
      const RecurrentPass& arrays = net.passes[pass];
      const kernel::RecurrentWeights<T> weights{DataOrNull<T>(c, arrays.weight_ih), DataOrNull<T>(c, arrays.weight_hh),
                                                DataOrNull<T>(c, arrays.bias_ih), DataOrNull<T>(c, arrays.bias_hh),
                                                DataOrNull<T>(c, arrays.weight_hr)};
      kernel::RunRecurrent(geometry, weights, input, output + direction * geometry.state_size,
                           hidden + pass * net.hidden_size(),
                           net.cell_size() > 0 ? cell + pass * net.cell_size() : nullptr, scratch + space.pass);
    }
    input = output;
  }
}

template void RunRecurrentNet<float>(const RecurrentNet&, const RecurrentWorkspace&, const RunContext&);
template void RunRecurrentNet<double>(const RecurrentNet&, const RecurrentWorkspace&, const RunContext&);

}  // namespace kuiper_infer
