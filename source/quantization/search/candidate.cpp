// SPDX-License-Identifier: MIT
#include "quantization/search/candidate.hpp"

#include <algorithm>

#include "quantization/graph_edits.hpp"
#include "quantization/search/layer_choice.hpp"
#include "quantization/search/layer_forms.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The operands that share a grid with the given ones in a plan; the given ones if the plan has none of them.
std::vector<std::string> SharersOf(const GridPlan& plan, const std::vector<std::string>& operands) {
  for (const std::vector<std::string>& sharers : plan.grids) {
    if (std::find(sharers.begin(), sharers.end(), operands.front()) != sharers.end()) return sharers;
  }
  return operands;
}

Extremes RangeOf(const std::vector<std::string>& operands, const Calibration& calibration) {
  Extremes range;
  for (const std::string& operand : operands) range.Add(calibration.histograms.at(operand).range());
  return range;
}

}  // namespace

std::unique_ptr<pnnx::Graph> FloatModel::Load() const {
  auto graph = std::make_unique<pnnx::Graph>();
  graph->Load(param, bin);
  UnifyLayers(*graph);
  return graph;
}

RuntimeGraph FloatModel::Build(std::unique_ptr<pnnx::Graph> graph) const {
  RuntimeGraph built(std::move(graph));
  built.set_build_options(build);
  built.Build();
  return built;
}

bool HasRange(const std::vector<std::string>& operands, const Calibration& calibration) {
  const Extremes range = RangeOf(operands, calibration);
  return HoldsAGrid(range.lowest, range.highest);
}

kernel::QuantizationGrid GridOf(const std::vector<std::string>& operands, const Calibration& calibration) {
  const Histograms& histograms = calibration.histograms;
  Histogram joined(RangeOf(operands, calibration));
  for (const std::string& operand : operands) joined.Add(histograms.at(operand));
  return ChooseGrid(joined, calibration.observer);
}

Candidate MakeCandidate(const FloatModel& model, const std::set<std::string>& layers,
                        const std::set<std::string>& sharing, const Calibration& calibration) {
  Candidate candidate{model.Load(), {}, {}};
  pnnx::Graph& graph = *candidate.graph;
  candidate.plan = PlanGrids(graph, layers);
  const GridPlan widest = PlanGrids(graph, sharing);
  for (std::size_t grid = 0; grid < candidate.plan.grids.size(); ++grid) {
    const std::vector<std::string>& operands = candidate.plan.grids[grid];
    const std::vector<std::string> sharers = SharersOf(widest, operands);
    if (!HasRange(sharers, calibration)) continue;
    const kernel::QuantizationGrid rounded_to = GridOf(sharers, calibration);
    for (const std::string& operand : operands) {
      candidate.grid_of_rounding[InsertQuantize(graph, graph.get_operand(operand), rounded_to)->name] = grid;
    }
  }
  for (pnnx::Operator* op : graph.ops) {
    if (layers.count(op->name) == 0) continue;
    QuantizeLayer(*op, calibration.rounding);
    const auto shift = calibration.bias_shifts.find(op->name);
    if (shift != calibration.bias_shifts.end()) ShiftBias(*op, shift->second);
  }
  return candidate;
}

}  // namespace kuiper_infer::quantization
