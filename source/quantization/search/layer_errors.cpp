// SPDX-License-Identifier: MIT
#include "quantization/search/layer_errors.hpp"

#include <algorithm>
#include <cmath>

#include "quantization/graph_edits.hpp"
#include "quantization/observation/signal_to_noise.hpp"
#include "quantization/search/layer_choice.hpp"

namespace kuiper_infer::quantization {
namespace {

/// Adds a quantised twin of the layer, which reads `input` first; its result and the layer's become outputs.
void AddTwin(pnnx::Graph& graph, const pnnx::Operator& layer, pnnx::Operand* input, WeightRounding rounding) {
  pnnx::Operator* const twin = graph.new_operator_after(layer.type, "twin_of_" + layer.name, &layer);
  twin->params = layer.params;
  twin->attrs = layer.attrs;
  twin->inputs = layer.inputs;
  twin->inputnames = layer.inputnames;
  QuantizeLayer(*twin, rounding);
  twin->inputs.front() = input;
  for (pnnx::Operand* operand : twin->inputs) operand->consumers.push_back(twin);
  pnnx::Operand* const result = graph.new_operand("twin_of_" + layer.name + "_out");
  result->producer = twin;
  result->type = layer.outputs.front()->type;
  result->shape = layer.outputs.front()->shape;
  result->has_shape = layer.outputs.front()->has_shape;
  twin->outputs = {result};
  AddOutput(graph, layer.outputs.front());
  AddOutput(graph, result);
}

/// The mean difference of two arrays for each index along an axis.
class ChannelMeans {
 public:
  void Add(const NdArray& wanted, const NdArray& found, int64_t axis) {
    const Shape& shape = wanted.shape();
    sums_.resize(static_cast<std::size_t>(shape[axis]), 0.0);
    const int64_t inner = ElementCount({shape.begin() + axis + 1, shape.end()});
    for (int64_t i = 0; i < wanted.size(); ++i) {
      const double difference =
          static_cast<double>(wanted.data<float>()[i]) - static_cast<double>(found.data<float>()[i]);
      if (std::isfinite(difference)) sums_[i / inner % shape[axis]] += difference;
    }
    count_ += wanted.size() / std::max<int64_t>(shape[axis], 1);
  }

  std::vector<float> result() const {
    std::vector<float> means;
    for (const double sum : sums_)
      means.push_back(count_ > 0 ? static_cast<float>(sum / static_cast<double>(count_)) : 0.0F);
    return means;
  }

 private:
  std::vector<double> sums_;
  int64_t count_ = 0;
};

}  // namespace

std::map<std::string, LayerError> LayerErrors(const FloatModel& model, const std::set<std::string>& layers,
                                              const Calibration& calibration, const Samples& samples,
                                              const Progress& progress) {
  std::unique_ptr<pnnx::Graph> source = model.Load();
  const GridPlan plan = PlanGrids(*source, layers);
  std::vector<std::string> names;
  std::vector<std::optional<int64_t>> window_axes;  // behind the channels' axis, which is the last one of linear layers
  for (const pnnx::Operator* op : std::vector<pnnx::Operator*>(source->ops)) {
    if (layers.count(op->name) == 0) continue;
    names.push_back(op->name);
    window_axes.emplace_back();
    pnnx::Operand* input = op->inputs.front();
    if (const auto weight = op->attrs.find(WeightOf(*op)); weight != op->attrs.end()) {
      window_axes.back() = static_cast<int64_t>(weight->second.shape.size()) - 2;
      const kernel::QuantizationGrid grid = GridOf(plan.grids[plan.grid_of.at(op->name)], calibration);
      input = AddQuantize(*source, input, grid, "twin_of_" + op->name + "_input");
    }
    AddTwin(*source, *op, input, calibration.rounding);
  }
  RuntimeGraph graph = model.Build(std::move(source));
  std::vector<SignalToNoise> ratios(names.size());
  std::vector<ChannelMeans> means(names.size());
  for (std::size_t sample = 0; sample < samples.count; ++sample) {
    const std::vector<NdArray> outputs = RunSample(graph, samples, sample);
    const std::size_t first = outputs.size() - 2 * names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const NdArray& wanted = outputs[first + 2 * i];
      const NdArray& found = outputs[first + 2 * i + 1];
      ratios[i].Add(wanted, found);
      if (window_axes[i]) means[i].Add(wanted, found, wanted.rank() - 1 - *window_axes[i]);
    }
    progress("errors of layers", sample + 1, samples.count);
  }
  std::map<std::string, LayerError> errors;
  for (std::size_t i = 0; i < names.size(); ++i) errors[names[i]] = {ratios[i].Decibels(), means[i].result()};
  return errors;
}

}  // namespace kuiper_infer::quantization
