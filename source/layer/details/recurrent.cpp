// SPDX-License-Identifier: MIT
#include "layer/details/recurrent.hpp"

#include <algorithm>
#include <array>

#include "layer/details/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

using kernel::RecurrentCell;
using kernel::RecurrentGeometry;

/// RunContext indices of the arrays of one direction of one layer, -1 where absent.
struct PassInputs {
  int weight_ih, weight_hh, bias_ih, bias_hh, weight_hr;
};

/// Everything that a run needs. Sizes count elements.
struct RecurrentNet {
  RecurrentGeometry geometry;  ///< of the first layer, forward
  int64_t layers = 1;
  int64_t directions = 1;
  std::vector<PassInputs> passes;  ///< layer by layer, forward before reverse
  int input = -1;
  int hidden = -1;
  int cell = -1;
  // Indices of RunContext::outputs, -1 where the state is not an output but scratch.
  int sequence_output = 0;
  int hidden_output = -1;
  int cell_output = -1;

  int64_t rows() const { return geometry.steps * geometry.batch; }
  int64_t width() const { return directions * geometry.state_size; }
  int64_t hidden_size() const { return geometry.batch * geometry.state_size; }  ///< of one pass
  int64_t cell_size() const {
    return geometry.cell == RecurrentCell::kLstm ? geometry.batch * geometry.hidden_size : 0;
  }
  int64_t passes_count() const { return layers * directions; }
};

RecurrentGeometry LayerGeometry(const RecurrentNet& net, int64_t layer) {
  RecurrentGeometry geometry = net.geometry;
  if (layer > 0) geometry.input_size = net.width();
  return geometry;
}

/// Parts of the workspace, in elements from its start.
struct Workspace {
  std::array<int64_t, 2> sequences;  ///< outputs of inner layers, by turns
  int64_t hidden, cell, pass, total;
};

Workspace MakeWorkspace(const RecurrentNet& net) {
  int64_t used = 0;
  const auto take = [&used](int64_t count) {
    constexpr int64_t kAlignment = 16;
    const int64_t start = used;
    used += (count + kAlignment - 1) / kAlignment * kAlignment;
    return start;
  };
  Workspace space{};
  const int64_t sequence = net.rows() * net.width();
  space.sequences = {take(net.layers > 1 ? sequence : 0), take(net.layers > 2 ? sequence : 0)};
  space.hidden = take(net.hidden_output < 0 ? net.passes_count() * net.hidden_size() : 0);
  space.cell = take(net.cell_output < 0 ? net.passes_count() * net.cell_size() : 0);
  space.pass = take(kernel::RecurrentWorkspace(net.geometry));
  space.total = used;
  return space;
}

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
void RunNet(const RecurrentNet& net, const Workspace& space, const RunContext& c) {
  T* scratch = reinterpret_cast<T*>(c.workspace);
  T* hidden = net.hidden_output >= 0 ? c.outputs[net.hidden_output].as<T>() : scratch + space.hidden;
  T* cell = net.cell_output >= 0 ? c.outputs[net.cell_output].as<T>() : scratch + space.cell;
  Initialise(DataOrNull<T>(c, net.hidden), net.passes_count() * net.hidden_size(), hidden);
  Initialise(DataOrNull<T>(c, net.cell), net.passes_count() * net.cell_size(), cell);
  const T* input = c.inputs[net.input].as<T>();
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    const bool last = layer + 1 == net.layers;
    T* output = last ? c.outputs[net.sequence_output].as<T>() : scratch + space.sequences[layer % 2];
    RecurrentGeometry geometry = LayerGeometry(net, layer);
    for (int64_t direction = 0; direction < net.directions; ++direction) {
      geometry.reverse = direction == 1;
      const int64_t pass = layer * net.directions + direction;
      const PassInputs& arrays = net.passes[pass];
      const kernel::RecurrentWeights<T> weights{
          DataOrNull<T>(c, arrays.weight_ih), DataOrNull<T>(c, arrays.weight_hh), DataOrNull<T>(c, arrays.bias_ih),
          DataOrNull<T>(c, arrays.bias_hh), DataOrNull<T>(c, arrays.weight_hr)};
      kernel::RunRecurrent(geometry, weights, input, output + direction * geometry.state_size,
                           hidden + pass * net.hidden_size(),
                           net.cell_size() > 0 ? cell + pass * net.cell_size() : nullptr, scratch + space.pass);
    }
    input = output;
  }
}

PassInputs ReadPass(const Arguments& arguments, const RecurrentNet& net, int64_t layer, bool reverse,
                    RuntimeDataType type) {
  const RecurrentGeometry geometry = LayerGeometry(net, layer);
  const int64_t gates = kernel::GateCount(geometry.cell) * geometry.hidden_size;
  const std::string suffix = "_l" + std::to_string(layer) + (reverse ? "_reverse" : "");
  const bool bias = arguments.Bool("bias");
  const auto required = [&](const std::string& name, const Shape& shape) {
    arguments.Tensor(name + suffix);
    return ParameterInput(arguments, name + suffix, shape, type);
  };
  return {required("weight_ih", {gates, geometry.input_size}), required("weight_hh", {gates, geometry.state_size}),
          bias ? required("bias_ih", {gates}) : -1, bias ? required("bias_hh", {gates}) : -1,
          geometry.state_size != geometry.hidden_size || arguments.OptionalTensor("weight_hr" + suffix) != nullptr
              ? required("weight_hr", {geometry.state_size, geometry.hidden_size})
              : -1};
}

/// Reads sizes and flags; the input is (steps, batch, size), (batch, steps, size) or, without a batch, (steps, size).
RecurrentNet ReadNet(const Arguments& arguments, RecurrentCell cell) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const Shape& shape = x.spec.shape;
  const int64_t rank = x.spec.rank();
  arguments.Require(rank == 2 || rank == 3, "input is " + ShapeString(shape) + ", expected rank 3 or, without a batch, 2");
  const bool batch_first = rank == 3 && arguments.Bool("batch_first");
  RecurrentNet net;
  RecurrentGeometry& g = net.geometry;
  g.cell = cell;
  g.steps = shape[batch_first ? 1 : 0];
  g.batch = rank == 2 ? 1 : shape[batch_first ? 0 : 1];
  g.step_rows = batch_first ? 1 : g.batch;
  g.batch_rows = batch_first ? g.steps : 1;
  g.input_size = shape.back();
  g.hidden_size = arguments.Int("hidden_size");
  const int64_t projection = arguments.Has("proj_size") ? arguments.Int("proj_size") : 0;
  g.state_size = projection > 0 ? projection : g.hidden_size;
  net.layers = arguments.Int("num_layers");
  net.directions = arguments.Bool("bidirectional") ? 2 : 1;
  g.output_pitch = net.width();
  arguments.Require(g.steps > 0, "input is " + ShapeString(shape) + ", expected at least one time step");
  arguments.Require(g.hidden_size > 0 && net.layers > 0, "hidden_size and num_layers must be above 0");
  if (arguments.Has("input_size")) {
    const int64_t size = arguments.Int("input_size");
    arguments.Require(size == g.input_size, "input is " + ShapeString(shape) + ", its last extent is not input_size " +
                                                std::to_string(size));
  }
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    for (int64_t direction = 0; direction < net.directions; ++direction) {
      net.passes.push_back(ReadPass(arguments, net, layer, direction == 1, x.spec.type));
    }
  }
  net.input = x.input;
  return net;
}

/// The shape of a state of all passes.
Shape StateShape(const RecurrentNet& net, bool batched, int64_t size) {
  return batched ? Shape{net.passes_count(), net.geometry.batch, size} : Shape{net.passes_count(), size};
}

}  // namespace

OperationPlan PlanRecurrent(const Arguments& arguments, RecurrentCell cell) {
  RecurrentNet net = ReadNet(arguments, cell);
  const TensorSpec& input = arguments.Tensor("input").spec;
  const bool lstm = cell == RecurrentCell::kLstm;
  Shape sequence = input.shape;
  sequence.back() = net.width();
  const Shape hidden = StateShape(net, input.rank() == 3, net.geometry.state_size);
  const Shape cell_state = StateShape(net, input.rank() == 3, net.geometry.hidden_size);
  net.hidden = ParameterInput(arguments, "h0", hidden, input.type);
  if (lstm) net.cell = ParameterInput(arguments, "c0", cell_state, input.type);

  // The converter swaps the order where the model doesn't take the tuple apart at once.
  const bool swapped = arguments.Has("pnnx_rnn_output_swapped") && arguments.Bool("pnnx_rnn_output_swapped");
  OperationPlan plan;
  const auto add = [&](const Shape& shape) {
    plan.outputs.push_back(OutputPlan::New(input.type, shape));
    return static_cast<int>(plan.outputs.size()) - 1;
  };
  if (!swapped) net.sequence_output = add(sequence);
  if (swapped || arguments.output_count() > 1) {
    net.hidden_output = add(hidden);
    if (lstm) net.cell_output = add(cell_state);
  }
  if (swapped) {
    net.sequence_output = add(sequence);
    if (arguments.output_count() == 1) plan.outputs = {OutputPlan::List(std::move(plan.outputs))};
  }

  const Workspace space = MakeWorkspace(net);
  plan.workspace_bytes = ByteCount(input.type, {space.total});
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    const RecurrentGeometry geometry = LayerGeometry(net, layer);
    const int64_t gates = kernel::GateCount(cell) * geometry.hidden_size;
    plan.multiply_adds += static_cast<double>(net.directions * net.rows()) * gates *
                          static_cast<double>(geometry.input_size + geometry.state_size);
  }
  plan.run = [net, space, type = input.type](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) { RunNet<typename decltype(tag)::type>(net, space, c); });
  };
  return plan;
}

std::string RecurrentSchema(const std::string& states, const std::string& extra) {
  return "Tensor input, " + states +
         ", int? input_size=None, int hidden_size, int num_layers=1, bool bias=True, bool batch_first=False, "
         "bool bidirectional=False, int? pnnx_rnn_output_swapped=None" +
         extra;
}

}  // namespace kuiper_infer
