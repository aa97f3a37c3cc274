// SPDX-License-Identifier: MIT
#include "operators/recurrent/recurrent.hpp"

namespace kuiper_infer {
namespace {

using kernel::RecurrentCell;

/// The weights by the names that they have in a module.
using Weights = std::map<std::string, TensorArgument>;

/// The arrays of one direction of one layer, in the order of `params`.
std::vector<std::string> PassNames(bool bias, bool projects) {
  std::vector<std::string> names{"weight_ih", "weight_hh"};
  if (bias) names.insert(names.end(), {"bias_ih", "bias_hh"});
  if (projects) names.emplace_back("weight_hr");
  return names;
}

Weights NameWeights(const Arguments& arguments, RecurrentCell cell) {
  const std::vector<TensorArgument> params = arguments.Tensors("params");
  const auto count = static_cast<int64_t>(params.size());
  const int64_t layers = arguments.Int("num_layers");
  arguments.Require(layers > 0, "num_layers is " + std::to_string(layers) + ", expected at least 1");
  const int64_t directions = arguments.Bool("bidirectional") ? 2 : 1;
  const bool bias = arguments.Bool("has_biases");
  // Only the number of arrays tells whether there are projections.
  const auto fits = [&](bool projects) {
    const auto each = directions * static_cast<int64_t>(PassNames(bias, projects).size());
    return count % each == 0 && count / each == layers;
  };
  const bool projects = cell == RecurrentCell::kLstm && fits(true);
  if (!projects && !fits(false)) {
    const std::string projected = cell == RecurrentCell::kLstm ? " or, with projections, one more" : "";
    arguments.Fail("params holds " + std::to_string(count) + " arrays, expected " + (bias ? "4" : "2") + projected +
                   " for each of " + std::to_string(layers) + (layers == 1 ? " layer" : " layers") + " and " +
                   std::to_string(directions) + (directions == 1 ? " direction" : " directions"));
  }
  Weights weights;
  auto param = params.begin();
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      for (const std::string& name : PassNames(bias, projects)) weights[name + suffix] = *param++;
    }
  }
  return weights;
}

/// The number of rows of a weight that tells a size of the net.
int64_t Rows(const Arguments& arguments, const Weights& weights, const std::string& name) {
  const Shape& shape = weights.at(name).spec.shape;
  arguments.Require(shape.size() == 2 && shape[0] > 0,
                    name + " is " + ShapeString(shape) + ", expected rank 2 and at least one row");
  return shape[0];
}

}  // namespace

OperationPlan PlanRecurrentFunction(const Arguments& arguments, RecurrentCell cell) {
  Weights weights = NameWeights(arguments, cell);
  const int64_t gates = kernel::GateCount(cell);
  const int64_t gate_rows = Rows(arguments, weights, "weight_hh_l0");
  arguments.Require(gate_rows % gates == 0, "weight_hh_l0 has " + std::to_string(gate_rows) +
                                                " rows, expected a multiple of the " + std::to_string(gates) +
                                                " gates");
  const int64_t projection = weights.count("weight_hr_l0") != 0 ? Rows(arguments, weights, "weight_hr_l0") : 0;

  const std::vector<TensorArgument> states = arguments.Tensors("hx");
  const std::size_t state_count = cell == RecurrentCell::kLstm ? 2 : 1;
  arguments.Require(states.size() == state_count,
                    "hx holds " + std::to_string(states.size()) + " arrays, expected " + std::to_string(state_count));
  static const Schema kModule(
      "Tensor input, Tensor h0, Tensor? c0, int hidden_size, int proj_size, int num_layers, bool bias, "
      "bool bidirectional, bool batch_first");
  std::vector<Argument> values(kModule.arguments().size());
  const auto set = [&](const char* name, Argument value) { values[kModule.Find(name)] = std::move(value); };
  for (const char* name : {"input", "num_layers", "bidirectional", "batch_first"}) set(name, arguments.Get(name));
  set("bias", arguments.Get("has_biases"));
  set("h0", Argument{states.front()});
  if (cell == RecurrentCell::kLstm) set("c0", Argument{states.back()});
  set("hidden_size", Argument{Value(gate_rows / gates)});
  set("proj_size", Argument{Value(projection)});
  return PlanRecurrent(Arguments(arguments.type(), &kModule, std::move(values), std::move(weights), arguments.context(),
                                 arguments.output_count(), arguments.recorded()),
                       cell);
}

std::string RecurrentFunctionSchema(const std::string& states) {
  // Dropout has no effect outside of training.
  return "Tensor input, " + states +
         ", Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, "
         "bool batch_first";
}

}  // namespace kuiper_infer
