// SPDX-License-Identifier: MIT
#include "quantization/observation/observation.hpp"

#include "quantization/additions.hpp"
#include "quantization/graph_edits.hpp"
#include "quantization/number_checks.hpp"

namespace kuiper_infer::quantization {
namespace {

/// Returns the name of an observed operand for errors.
std::string TextOf(const pnnx::Operand& operand) {
  const pnnx::Operator* const producer = operand.producer;
  if (producer == nullptr) return "operand '" + operand.name + "'";
  if (producer->type == "pnnx.Input") return "input '" + producer->name + "', which layers are to read rounded,";
  return "the result of " + producer->type + " '" + producer->name + "', which layers are to read rounded,";
}

}  // namespace

std::vector<std::string> OperandsToObserve(const pnnx::Graph& graph, const std::set<std::string>& layers) {
  std::set<std::string> names;
  for (const std::vector<std::string>& operands : PlanGrids(graph, layers).grids) {
    names.insert(operands.begin(), operands.end());
  }
  for (const pnnx::Operator* op : graph.ops) {
    if (!IsAddition(*op)) continue;
    for (const pnnx::Operand* term : op->inputs) {
      if (term->producer != nullptr && layers.count(term->producer->name) != 0) names.insert(term->name);
    }
  }
  return {names.begin(), names.end()};
}

Histograms Observe(const FloatModel& model, const std::vector<std::string>& operands, const Samples& samples,
                   const Progress& progress) {
  std::unique_ptr<pnnx::Graph> source = model.Load();
  std::vector<std::string> texts;
  for (const std::string& operand : operands) {
    texts.push_back(TextOf(*source->get_operand(operand)));
    AddOutput(*source, source->get_operand(operand));
  }
  RuntimeGraph graph = model.Build(std::move(source));

  const auto pass = [&](const std::string& part, const auto& add) {
    for (std::size_t sample = 0; sample < samples.count; ++sample) {
      const std::vector<NdArray> outputs = RunSample(graph, samples, sample);
      const std::size_t first = outputs.size() - operands.size();
      for (std::size_t i = 0; i < operands.size(); ++i) {
        RequireFinite(outputs[first + i], samples.name(sample) + ": " + texts[i]);
        add(operands[i], outputs[first + i].To(RuntimeDataType::kTypeFloat32).Contiguous());
      }
      progress(part, sample + 1, samples.count);
    }
  };
  std::map<std::string, Extremes> ranges;
  for (const std::string& operand : operands) ranges[operand] = {};
  pass("ranges", [&](const std::string& operand, const NdArray& array) { ranges[operand].Add(array); });
  Histograms histograms;
  for (const auto& [operand, range] : ranges) histograms.emplace(operand, Histogram(range));
  pass("histograms", [&](const std::string& operand, const NdArray& array) { histograms[operand].Add(array); });
  return histograms;
}

}  // namespace kuiper_infer::quantization
