// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent_net.hpp"

#include <algorithm>
#include <type_traits>

#include "operation/parameters.hpp"
#include "utils/threads/parallel.hpp"

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

template <class T>
kernel::RecurrentWeights<T> ReadWeights(const RecurrentPass& pass, const RunContext& c) {
  kernel::RecurrentWeights<T> weights{DataOrNull<T>(c, pass.weight_ih), DataOrNull<T>(c, pass.weight_hh),
                                      DataOrNull<T>(c, pass.bias_ih), DataOrNull<T>(c, pass.bias_hh),
                                      DataOrNull<T>(c, pass.weight_hr)};
  if constexpr (std::is_same_v<T, float>) {
    weights.packed_ih = pass.packed_ih.Factor();
    weights.packed_hh = pass.packed_hh.Factor();
    weights.packed_hr = pass.packed_hr.Factor();
  }
  return weights;
}

}  // namespace

std::string RecurrentNet::Method() const {
  for (const RecurrentPass& pass : passes) {
    for (const PackedRows& packed : {pass.packed_ih, pass.packed_hh}) {
      if (packed.weight != nullptr && packed.kernel->name[0] != 0) return packed.kernel->name;
    }
  }
  return {};
}

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
  space.pass_size = kernel::RecurrentWorkspace(net.geometry);
  space.pass = take(net.directions * space.pass_size);
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
    const kernel::RecurrentGeometry geometry = RecurrentLayerGeometry(net, layer);
    const auto run = [&](int64_t direction) {
      kernel::RecurrentGeometry own = geometry;
      own.reverse = direction == 1;
      const int64_t pass = layer * net.directions + direction;
      kernel::RunRecurrent(own, ReadWeights<T>(net.passes[pass], c), input, output + direction * geometry.state_size,
                           hidden + pass * net.hidden_size(),
                           net.cell_size() > 0 ? cell + pass * net.cell_size() : nullptr,
                           scratch + space.pass + direction * space.pass_size);
    };
    // Few threads do best with a direction each, which needs no waiting at every step.
    constexpr int kFewThreads = 4;
    ParallelFor(net.directions, MaxThreads() <= kFewThreads ? 1 : net.directions, [&](int64_t first, int64_t last) {
      for (int64_t direction = first; direction < last; ++direction) run(direction);
    });
    input = output;
  }
}

template void RunRecurrentNet<float>(const RecurrentNet&, const RecurrentWorkspace&, const RunContext&);
template void RunRecurrentNet<double>(const RecurrentNet&, const RecurrentWorkspace&, const RunContext&);

}  // namespace kuiper_infer
