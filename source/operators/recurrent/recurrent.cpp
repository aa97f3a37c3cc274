// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent.hpp"

#include "operation/parameters.hpp"
#include "operators/recurrent/recurrent_net.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

using kernel::RecurrentCell;
using kernel::RecurrentGeometry;

/// The kernel for products by a weight. Small weights get the float32 kernel: reading them is faster than rounding.
const kernel::ProductKernel& ChooseKernel(const PlanningContext& context, int64_t rows, const Shape& shape) {
  constexpr int64_t kLeastNumbers = 4096;
  PlanningContext of_floats = context;
  of_floats.pieces = 0;
  return ChooseFloatProduct(ElementCount(shape) < kLeastNumbers ? of_floats : context, {rows, shape[0], shape[1]});
}

RecurrentPass ReadPass(const Arguments& arguments, RecurrentNet& net, int64_t layer, bool reverse,
                       RuntimeDataType type) {
  const RecurrentGeometry geometry = RecurrentLayerGeometry(net, layer);
  const int64_t gates = kernel::GateCount(geometry.cell) * geometry.hidden_size;
  const std::string suffix = "_l" + std::to_string(layer) + (reverse ? "_reverse" : "");
  const bool bias = arguments.Bool("bias");
  const auto required = [&](const std::string& name, const Shape& shape) {
    arguments.Tensor(name + suffix);
    return ParameterInput(arguments, name + suffix, shape, type);
  };
  const bool projects =
      geometry.state_size != geometry.hidden_size || arguments.OptionalTensor("weight_hr" + suffix) != nullptr;
  RecurrentPass pass{required("weight_ih", {gates, geometry.input_size}),
                     required("weight_hh", {gates, geometry.state_size}), bias ? required("bias_ih", {gates}) : -1,
                     bias ? required("bias_hh", {gates}) : -1,
                     projects ? required("weight_hr", {geometry.state_size, geometry.hidden_size}) : -1};
  if (arguments.Tensor("input").is_constant()) return pass;  // a plan whose input is known already runs only once
  const auto pack = [&](const std::string& name, int64_t rows) {
    const TensorArgument& weight = arguments.Tensor(name + suffix);
    const kernel::ProductKernel& kernel = ChooseKernel(arguments.context(), rows, weight.spec.shape);
    const auto packed = PackLinearWeight(arguments.context(), weight, kernel);
    NotePacked(weight, {packed}, net.packed_inputs);
    return PackedRows{packed, &kernel};
  };
  pass.packed_ih = pack("weight_ih", net.rows());
  pass.packed_hh = pack("weight_hh", geometry.batch);
  if (projects) pass.packed_hr = pack("weight_hr", geometry.batch);
  return pass;
}

/// The shape of a state of all passes.
Shape StateShape(const RecurrentNet& net, bool batched, int64_t size) {
  return batched ? Shape{net.passes_count(), net.geometry.batch, size} : Shape{net.passes_count(), size};
}

}  // namespace

RecurrentNet ReadRecurrentNet(const Arguments& arguments, RecurrentCell cell) {
  const TensorArgument x = arguments.Tensor("input");
  RequireFloating(arguments, x);
  const Shape& shape = x.spec.shape;
  const int64_t rank = x.spec.rank();
  arguments.Require(rank == 2 || rank == 3,
                    "input is " + ShapeString(shape) + ", expected rank 3 or, without a batch, 2");
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
  arguments.Require(g.hidden_size > 0 && net.layers > 0, "hidden_size is " + std::to_string(g.hidden_size) +
                                                             " and num_layers " + std::to_string(net.layers) +
                                                             ", expected both above 0");
  if (arguments.Has("input_size")) {
    const int64_t size = arguments.Int("input_size");
    arguments.Require(size == g.input_size, "input is " + ShapeString(shape) +
                                                ", expected a last extent of input_size " + std::to_string(size));
  }
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    for (int64_t direction = 0; direction < net.directions; ++direction) {
      net.passes.push_back(ReadPass(arguments, net, layer, direction == 1, x.spec.type));
    }
  }
  net.input = x.input;
  return net;
}

void SetRecurrentCall(RecurrentNet net, RuntimeDataType type, OperationPlan& plan) {
  const RecurrentWorkspace space = MakeRecurrentWorkspace(net);
  plan.workspace_bytes = ByteCount(type, {space.total});
  for (int64_t layer = 0; layer < net.layers; ++layer) {
    const RecurrentGeometry geometry = RecurrentLayerGeometry(net, layer);
    const int64_t gates = kernel::GateCount(geometry.cell) * geometry.hidden_size;
    plan.multiply_adds += static_cast<double>(net.directions * net.rows()) * gates *
                          static_cast<double>(geometry.input_size + geometry.state_size);
  }
  plan.method = net.Method();
  plan.packed_inputs = std::move(net.packed_inputs);
  plan.run = [net, space, type](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) { RunRecurrentNet<typename decltype(tag)::type>(net, space, c); });
  };
}

OperationPlan PlanRecurrent(const Arguments& arguments, RecurrentCell cell) {
  RecurrentNet net = ReadRecurrentNet(arguments, cell);
  const TensorSpec& input = arguments.Tensor("input").spec;
  const bool lstm = cell == RecurrentCell::kLstm;
  Shape sequence = input.shape;
  sequence.back() = net.width();
  const Shape hidden = StateShape(net, input.rank() == 3, net.geometry.state_size);
  const Shape cell_state = StateShape(net, input.rank() == 3, net.geometry.hidden_size);
  net.hidden = ParameterInput(arguments, "h0", hidden, input.type);
  if (lstm) net.cell = ParameterInput(arguments, "c0", cell_state, input.type);

  // The converter puts the states before the sequence if the model doesn't take the tuple apart at once.
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
  SetRecurrentCall(std::move(net), input.type, plan);
  return plan;
}

std::string RecurrentSchema(const std::string& states, const std::string& extra) {
  return "Tensor input, " + states +
         ", int? input_size=None, int hidden_size, int num_layers=1, bool bias=True, bool batch_first=False, "
         "bool bidirectional=False, int? pnnx_rnn_output_swapped=None" +
         extra;
}

}  // namespace kuiper_infer
