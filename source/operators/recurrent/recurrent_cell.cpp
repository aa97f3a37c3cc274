// SPDX-License-Identifier: MIT
// One step of a recurrent layer: a net of one layer and one step.
#include "operation/parameters.hpp"
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

using kernel::RecurrentCell;

/// The arguments of a module with one layer and one step. The weights are called as in a module.
Arguments ModuleArguments(const Arguments& arguments, RecurrentCell cell) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() == 2,
                    "input is " + ShapeString(input.spec.shape) + ", expected rank 2: batch, size");
  const TensorArgument& recurrent = arguments.Tensor("w_hh");
  const Shape& shape = recurrent.spec.shape;
  const int64_t gates = kernel::GateCount(cell);
  arguments.Require(shape.size() == 2 && shape[0] > 0 && shape[0] % gates == 0,
                    "w_hh is " + ShapeString(shape) + ", expected rank 2 and a multiple of " + std::to_string(gates) +
                        " rows, one for each gate");
  std::map<std::string, TensorArgument> weights;
  for (const auto& [name, member] :
       {std::pair("w_ih", "weight_ih_l0"), {"w_hh", "weight_hh_l0"}, {"b_ih", "bias_ih_l0"}, {"b_hh", "bias_hh_l0"}}) {
    if (const TensorArgument* given = arguments.OptionalTensor(name)) weights[member] = *given;
  }
  static const Schema kModule(
      "Tensor input, int hidden_size, int num_layers, bool bias, bool bidirectional, bool batch_first, "
      "Tensor? bias_ih_l0, Tensor? bias_hh_l0");
  std::vector<Argument> values(kModule.arguments().size());
  const auto set = [&](const char* name, Argument value) { values[kModule.Find(name)] = std::move(value); };
  TensorArgument sequence = input;
  sequence.spec = TensorSpec(input.spec.type, {1, input.spec.shape[0], input.spec.shape[1]});
  set("input", Argument{sequence});
  set("hidden_size", Argument{Value(shape[0] / gates)});
  set("num_layers", Argument{Value(1)});
  for (const char* flag : {"bias", "bidirectional", "batch_first"}) set(flag, Argument{Value(false)});
  for (const char* bias : {"bias_ih_l0", "bias_hh_l0"}) {
    if (weights.count(bias) != 0) set(bias, Argument{weights[bias]});
  }
  return {arguments.type(),    &kModule,
          std::move(values),   std::move(weights),
          arguments.context(), arguments.output_count(),
          arguments.recorded()};
}

/// Plans the next hidden state and, of an LSTM, the next cell state. Either bias may be missing.
template <RecurrentCell kCell>
OperationPlan PlanCell(const Arguments& arguments) {
  constexpr bool kLstm = kCell == RecurrentCell::kLstm;
  const Arguments module = ModuleArguments(arguments, kCell);
  RecurrentNet net = ReadRecurrentNet(module, kCell);
  const RuntimeDataType type = arguments.Tensor("input").spec.type;
  const kernel::RecurrentGeometry& geometry = net.geometry;
  const Shape biases = {kernel::GateCount(kCell) * geometry.hidden_size};
  net.passes.front().bias_ih = ParameterInput(module, "bias_ih_l0", biases, type);
  net.passes.front().bias_hh = ParameterInput(module, "bias_hh_l0", biases, type);
  const std::vector<TensorArgument> states = arguments.Tensors("hx");
  arguments.Require(states.size() == (kLstm ? 2 : 1),
                    "hx holds " + std::to_string(states.size()) + " arrays, expected " + (kLstm ? "2" : "1"));
  const TensorSpec state(type, {geometry.batch, geometry.hidden_size});
  for (const TensorArgument& given : states) {
    arguments.Require(given.spec.type == type && given.spec.shape == state.shape,
                      "hx holds " + SpecString(given.spec) + ", expected " + SpecString(state));
  }
  net.hidden = states.front().input;
  OperationPlan plan;
  // The only step of the sequence is the next hidden state.
  plan.outputs = {OutputPlan::New(state)};
  if (kLstm) {
    net.cell = states.back().input;
    net.cell_output = 1;
    plan.outputs.push_back(OutputPlan::New(state));
  }
  SetRecurrentCall(std::move(net), type, plan);
  return plan;
}

}  // namespace

void RegisterRecurrentCell(OperationTable& table) {
  const std::string weights = "Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None";
  table.Add({"aten::lstm_cell"}, "Tensor input, Tensor[] hx, " + weights, PlanCell<RecurrentCell::kLstm>);
  table.Add({"aten::gru_cell"}, "Tensor input, Tensor hx, " + weights, PlanCell<RecurrentCell::kGru>);
  table.Add({"aten::rnn_tanh_cell"}, "Tensor input, Tensor hx, " + weights, PlanCell<RecurrentCell::kTanh>);
  table.Add({"aten::rnn_relu_cell"}, "Tensor input, Tensor hx, " + weights, PlanCell<RecurrentCell::kRelu>);
}

}  // namespace kuiper_infer
