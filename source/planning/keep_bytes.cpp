// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operators/quantization/quantized.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

/// Finds the arrays that everyone who writes or reads them can take as bytes.
class ByteArrays {
 public:
  explicit ByteArrays(const PlanningGraph& graph) : graph_(graph), bytes_(graph.arrays.size(), false) {
    for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
      const PlannedArray& array = graph.arrays[i];
      bytes_[i] = array.memory == ArrayMemory::kArena && array.grid && FitsBytes(*array.grid) &&
                  array.spec.type == RuntimeDataType::kTypeFloat32;
    }
    for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
      const PlannedArray& array = graph.arrays[i];
      const bool other_type = array.spec.type != RuntimeDataType::kTypeFloat32;
      if (array.memory == ArrayMemory::kView && other_type) bytes_[array.root] = false;
    }
    for (const RuntimeOperand* output : graph.output_operands) {
      ForEachArray(graph.symbols.at(output), [this](int array) { bytes_[graph_.RootOf(array)] = false; });
    }
    while (RemoveOthers()) {
    }
  }

  bool Has(int array) const { return bytes_[graph_.RootOf(array)]; }

 private:
  /// Takes arrays out whose writers or readers can't take bytes; true where there were any.
  bool RemoveOthers() {
    bool removed = false;
    const auto remove = [&](int array) {
      removed = removed || Has(array);
      bytes_[graph_.RootOf(array)] = false;
    };
    for (const Node& node : graph_.nodes) {
      if (node.kind == Node::Kind::kDynamic && node.alive) {
        for (const auto& operand : graph_.operators[node.op]->input_operands_seq) {
          ForEachArray(graph_.symbols.at(operand.get()), remove);
        }
      }
      if (!node.runs()) continue;
      const Fusion fusion = FusionOf(graph_, node);
      const bool writes = node.computation != nullptr && node.computation->WritesBytes(fusion);
      for (const int array : node.outputs) {
        if (!writes) remove(array);
      }
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const int array = node.inputs[i].array;
        if (array < 0 || !Has(array)) continue;
        const bool reads = node.computation != nullptr && node.computation->ReadsBytes(static_cast<int>(i), fusion);
        if (!reads) remove(array);
      }
      if (node.computation != nullptr && node.computation->KeepsNumbers()) KeepAlike(node, remove);
    }
    return removed;
  }

  /// What such a node reads and writes is all bytes, or nothing is.
  template <class Remove>
  void KeepAlike(const Node& node, const Remove& remove) const {
    const auto is_array = [](const NodeInput& input) { return input.array >= 0; };
    const bool all = std::all_of(node.outputs.begin(), node.outputs.end(), [this](int array) { return Has(array); }) &&
                     std::all_of(node.inputs.begin(), node.inputs.end(),
                                 [&](const NodeInput& input) { return !is_array(input) || Has(input.array); });
    if (all) return;
    for (const int array : node.outputs) remove(array);
    for (const NodeInput& input : node.inputs) {
      if (is_array(input)) remove(input.array);
    }
  }

  const PlanningGraph& graph_;
  std::vector<bool> bytes_;  ///< by root array
};

}  // namespace

void KeepBytes(PlanningGraph& graph, const PlanningContext& /*context*/) {
  const ByteArrays bytes(graph);
  for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
    PlannedArray& array = graph.arrays[i];
    const bool used = array.memory == ArrayMemory::kArena || array.memory == ArrayMemory::kView;
    if (!used || !bytes.Has(static_cast<int>(i))) continue;
    if (array.memory == ArrayMemory::kView) array.offset /= static_cast<int64_t>(sizeof(float));
    array.spec.type = RuntimeDataType::kTypeUInt8;
  }
}

}  // namespace kuiper_infer
