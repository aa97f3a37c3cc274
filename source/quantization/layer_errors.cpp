// SPDX-License-Identifier: MIT
#include "quantization/layer_errors.hpp"

#include "quantization/graph_edits.hpp"
#include "quantization/signal_to_noise.hpp"

namespace kuiper_infer::quantization {
namespace {

/// Adds a quantised twin of the layer; its result and the layer's become outputs.
void AddTwin(pnnx::Graph& graph, const pnnx::Operator& layer, const kernel::QuantizationGrid& grid) {
  pnnx::Operand* const rounded = AddQuantize(graph, layer.inputs.front(), grid, "twin_of_" + layer.name + "_input");
  pnnx::Operator* const twin = graph.new_operator_after(layer.type, "twin_of_" + layer.name, &layer);
  twin->params = layer.params;
  twin->attrs = layer.attrs;
  twin->inputnames = layer.inputnames;
  StoreByChannel(*twin, "weight");
  twin->inputs = {rounded};
  rounded->consumers.push_back(twin);
  pnnx::Operand* const result = graph.new_operand("twin_of_" + layer.name + "_out");
  result->producer = twin;
  result->type = layer.outputs.front()->type;
  result->shape = layer.outputs.front()->shape;
  result->has_shape = layer.outputs.front()->has_shape;
  twin->outputs = {result};
  AddOutput(graph, layer.outputs.front());
  AddOutput(graph, result);
}

}  // namespace

std::map<std::string, double> LayerErrors(const FloatModel& model, const std::set<std::string>& layers,
                                          const Histograms& histograms, const Observer& observer,
                                          const Samples& samples, const Progress& progress) {
  std::unique_ptr<pnnx::Graph> source = model.Load();
  const GridPlan plan = PlanGrids(*source, layers);
  std::vector<std::string> names;
  for (const pnnx::Operator* op : std::vector<pnnx::Operator*>(source->ops)) {
    if (layers.count(op->name) == 0) continue;
    names.push_back(op->name);
    AddTwin(*source, *op, GridOf(plan.grids[plan.grid_of.at(op->name)], histograms, observer));
  }
  RuntimeGraph graph = model.Build(std::move(source));
  std::map<std::string, SignalToNoise> ratios;
  for (std::size_t sample = 0; sample < samples.count; ++sample) {
    const std::vector<NdArray> outputs = RunSample(graph, samples, sample);
    const std::size_t first = outputs.size() - 2 * names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      ratios[names[i]].Add(outputs[first + 2 * i], outputs[first + 2 * i + 1]);
    }
    progress("errors of layers", sample + 1, samples.count);
  }
  std::map<std::string, double> decibels;
  for (const auto& [name, ratio] : ratios) decibels[name] = ratio.Decibels();
  return decibels;
}

}  // namespace kuiper_infer::quantization
