// SPDX-License-Identifier: MIT
#include <algorithm>

#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;

/// Finds the float32 arrays that all their writers and readers can process in another stored type.
class StoredArrays {
 public:
  StoredArrays(const PlanningGraph& graph, RuntimeDataType type)
      : graph_(graph), type_(type), stored_(graph.arrays.size(), false) {
    for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
      const PlannedArray& array = graph.arrays[i];
      stored_[i] = array.memory == ArrayMemory::kArena && array.spec.type == kFloat && HoldsNumbers(array);
    }
    if (type == RuntimeDataType::kTypeBFloat16) RemoveWithoutPreference();
    for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
      const PlannedArray& array = graph.arrays[i];
      if (array.memory == ArrayMemory::kView && array.spec.type != kFloat) stored_[array.root] = false;
    }
    for (const RuntimeOperand* output : graph.output_operands) {
      ForEachArray(graph.symbols.at(output), [this](int array) { stored_[graph_.RootOf(array)] = false; });
    }
    while (RemoveOthers()) {
    }
  }

  bool Has(int array) const { return stored_[graph_.RootOf(array)]; }

 private:
  /// Whether the type can store the array's numbers as exactly as its readers need them.
  bool HoldsNumbers(const PlannedArray& array) const {
    return type_ != RuntimeDataType::kTypeUInt8 || (array.grid && FitsBytes(*array.grid));
  }

  /// Excludes arrays of which no reader prefers bfloat16. If a call only copies an array, the readers of the copy count
  /// as readers of the array.
  void RemoveWithoutPreference() {
    std::vector<bool> preferred(stored_.size(), false);
    const std::vector<std::size_t> order = InRunningOrder(graph_);
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      const Node& reader = graph_.nodes[*node];
      if (!reader.runs() || reader.computation == nullptr) continue;
      const bool copies =
          reader.computation->KeepsStorage() && std::any_of(reader.outputs.begin(), reader.outputs.end(),
                                                            [&](int array) { return preferred[graph_.RootOf(array)]; });
      for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
        const int array = reader.inputs[i].array;
        if (array < 0) continue;
        const bool prefers =
            copies || reader.computation->PrefersBFloat16(static_cast<int>(i), FusionOf(graph_, reader));
        if (prefers) preferred[graph_.RootOf(array)] = true;
      }
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) stored_[i] = stored_[i] && preferred[i];
  }

  /// Excludes arrays whose writers or readers can't process the type. Returns whether there were any.
  bool RemoveOthers() {
    bool removed = false;
    const auto remove = [&](int array) {
      removed = removed || Has(array);
      stored_[graph_.RootOf(array)] = false;
    };
    for (const Node& node : graph_.nodes) {
      if (node.kind == Node::Kind::kDynamic && node.alive) {
        for (const auto& operand : graph_.operators[node.op]->input_operands_seq) {
          ForEachArray(graph_.symbols.at(operand.get()), remove);
        }
      }
      if (!node.runs()) continue;
      const Fusion fusion = FusionOf(graph_, node);
      const bool writes = node.computation != nullptr && node.computation->Writes(type_, fusion);
      for (const int array : node.outputs) {
        if (!writes) remove(array);
      }
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const int array = node.inputs[i].array;
        if (array < 0 || !Has(array)) continue;
        const bool reads = node.computation != nullptr && node.computation->Reads(type_, static_cast<int>(i), fusion);
        if (!reads) remove(array);
      }
      if (node.computation != nullptr && node.computation->KeepsStorage()) KeepAlike(node, remove);
    }
    return removed;
  }

  /// All arrays that a value-preserving node reads and writes have the type, or none has it. Constants stay float32.
  template <class Remove>
  void KeepAlike(const Node& node, const Remove& remove) const {
    const auto is_array = [](const NodeInput& input) { return input.array >= 0; };
    const auto is_stored = [&](const NodeInput& input) {
      return is_array(input) ? Has(input.array) : input.constant.spec.type != kFloat;
    };
    const bool all = std::all_of(node.outputs.begin(), node.outputs.end(), [this](int array) { return Has(array); }) &&
                     std::all_of(node.inputs.begin(), node.inputs.end(), is_stored);
    if (all) return;
    for (const int array : node.outputs) remove(array);
    for (const NodeInput& input : node.inputs) {
      if (is_array(input)) remove(input.array);
    }
  }

  const PlanningGraph& graph_;
  RuntimeDataType type_;
  std::vector<bool> stored_;  ///< by root array
};

void StoreAs(RuntimeDataType type, PlanningGraph& graph) {
  const StoredArrays stored(graph, type);
  for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
    PlannedArray& array = graph.arrays[i];
    const bool used = array.memory == ArrayMemory::kArena || array.memory == ArrayMemory::kView;
    if (!used || !stored.Has(static_cast<int>(i))) continue;
    const auto bytes = [](RuntimeDataType element) { return static_cast<int64_t>(ElementBytes(element)); };
    if (array.memory == ArrayMemory::kView) array.offset = array.offset / bytes(kFloat) * bytes(type);
    array.spec.type = type;
  }
}

}  // namespace

void ChooseStorage(PlanningGraph& graph, const PlanningContext& context) {
  StoreAs(RuntimeDataType::kTypeUInt8, graph);
  if (context.pieces == 1) StoreAs(RuntimeDataType::kTypeBFloat16, graph);
}

}  // namespace kuiper_infer
