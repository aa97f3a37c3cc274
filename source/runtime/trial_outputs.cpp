// SPDX-License-Identifier: MIT
#include <optional>

#include "data/memory_budget.hpp"
#include "planning/passes.hpp"
#include "runtime/output_specs.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Values for the free extents: `front` along the first axis of each input, which is mostly the batch, and `others`
/// along all other axes.
struct Trial {
  int64_t front;
  int64_t others;
};

/// The trial extents. What a network demands of its free extents is unknown, so several pairs are tried. All inputs get
/// the same pair, because they often share a batch or a length. The sizes differ, because pictures often need multiples
/// of 32, texts may have few positions, and sounds need thousands of samples. Pairs of equal numbers serve inputs whose
/// axes stand in other orders. No extent is 1, because an axis of extent 1 would be broadcast.
constexpr Trial kTrials[] = {{2, 64}, {3, 128}, {64, 64}, {128, 128}, {2, 32},   {3, 16},  {16, 16},
                             {8, 8},  {4, 4},   {2, 2},   {3, 3},     {2, 4096}, {3, 8192}};

std::optional<std::vector<TensorSpec>> InputsOf(const BuiltGraph& graph, const Trial& trial) {
  std::vector<TensorSpec> specs;
  for (const auto& input : graph.inputs) {
    if (!input->output_operands->has_shape) return std::nullopt;
    TensorSpec recorded = BuiltGraph::RecordedSpec(*input);
    for (std::size_t axis = 0; axis < recorded.shape.size(); ++axis) {
      if (recorded.shape[axis] < 0) recorded.shape[axis] = axis == 0 ? trial.front : trial.others;
    }
    specs.emplace_back(recorded.type, recorded.shape);
  }
  return specs;
}

/// The outputs for one trial; nothing if the network does not take these inputs, or if inputs have too many axes.
std::optional<OutputSpecs> Try(const BuiltGraph& graph, const Trial& trial) {
  try {
    const std::optional<std::vector<TensorSpec>> inputs = InputsOf(graph, trial);
    if (!inputs) return std::nullopt;
    return PlannedOutputs(graph, InferGraph(graph.order, *inputs, false, graph.context.Here()));
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool SameKind(const TensorSpec& a, const TensorSpec& b) { return a.type == b.type && a.rank() == b.rank(); }

/// Sets the extents of `specs` that differ from those of `other` to -1.
void KeepCommon(std::vector<TensorSpec>& specs, const std::vector<TensorSpec>& other) {
  if (specs.size() != other.size()) {  // a list whose length depends on the extents
    specs.assign(1, TensorSpec());
    return;
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!SameKind(specs[i], other[i])) specs[i] = TensorSpec();
    for (std::size_t axis = 0; axis < specs[i].shape.size(); ++axis) {
      if (specs[i].shape[axis] != other[i].shape[axis]) specs[i].shape[axis] = -1;
    }
  }
}

/// Adds what the file records: arrays that no trial could infer, and extents that are free in the file. If the trials
/// were too few to tell which extents vary, the file's extents are taken.
void AddRecorded(std::vector<TensorSpec>& specs, const std::vector<TensorSpec>& recorded, bool extents_vary) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const TensorSpec note = specs.size() == recorded.size() ? recorded[i] : TensorSpec();
    if (specs[i].type == RuntimeDataType::kTypeUnknown) {
      specs[i] = note;
      continue;
    }
    const bool noted = note.type != RuntimeDataType::kTypeUnknown && note.rank() == specs[i].rank();
    for (std::size_t axis = 0; axis < specs[i].shape.size(); ++axis) {
      const bool free = noted && note.shape[axis] < 0;
      if (free || !extents_vary) specs[i].shape[axis] = noted ? note.shape[axis] : -1;
    }
  }
}

}  // namespace

OutputSpecs OutputsForFreeInputs(const BuiltGraph& graph) {
  const ThreadScope threads(graph.used_threads(0));
  const BudgetScope budget(graph.context.budget);
  const OutputSpecs recorded = RecordedOutputs(graph);
  std::vector<std::pair<Trial, OutputSpecs>> tried;
  bool extents_vary = false;
  for (const Trial& trial : kTrials) {
    std::optional<OutputSpecs> outputs = Try(graph, trial);
    if (!outputs) continue;
    for (const auto& [former, specs] : tried) {
      extents_vary = extents_vary || (former.front != trial.front && former.others != trial.others);
    }
    tried.emplace_back(trial, std::move(*outputs));
    if (extents_vary) break;
  }
  if (tried.empty()) return recorded;
  OutputSpecs outputs = tried.front().second;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const auto& [trial, specs] : tried) KeepCommon(outputs[i], specs[i]);
    AddRecorded(outputs[i], recorded[i], extents_vary);
  }
  return outputs;
}

}  // namespace kuiper_infer
