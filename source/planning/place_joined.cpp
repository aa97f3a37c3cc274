// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include "operators/movement/join.hpp"
#include "planning/infer.hpp"
#include "planning/memory_planner.hpp"
#include "planning/passes.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kChannelAxis = 1;

/// The place of an array in a joined result, in elements.
struct Placement {
  int result = -1;
  int64_t offset = 0;
};

/// The parts of one root array that a node joins.
struct JoinedArray {
  std::optional<int64_t> offset;  ///< of the array in the result
  int64_t channels = 0;
  bool fits = true;
};

bool IsChannelsLast(const TensorSpec& spec) {
  return spec.rank() > kChannelAxis && spec.type == RuntimeDataType::kTypeFloat32 && spec.size() > 0 &&
         !spec.contiguous() && FindPixelStrides(spec, kChannelAxis).has_value();
}

const Join* AsJoin(const Node& node) {
  return node.alive ? dynamic_cast<const Join*>(node.computation.get()) : nullptr;
}

/// The arrays that a join reads, by root.
std::map<int, JoinedArray> CollectParts(const PlanningGraph& graph, const Node& node, const TensorSpec& result) {
  std::map<int, JoinedArray> joined;
  for (const Join::Part& part : AsJoin(node)->parts()) {
    const int index = node.inputs[static_cast<std::size_t>(part.input)].array;
    if (index < 0) continue;
    const PlannedArray& array = graph.arrays[index];
    const int root = graph.RootOf(index);
    const auto bytes = static_cast<int64_t>(ElementBytes(array.spec.type));
    const int64_t offset = part.offset - (array.memory == ArrayMemory::kView ? array.offset / bytes : 0);
    JoinedArray& all = joined[root];
    const TensorSpec& whole = graph.arrays[root].spec;
    all.fits = all.fits && all.offset.value_or(offset) == offset && array.spec.strides == whole.strides &&
               IsChannelsLast(array.spec) && DiffersInAxisOnly(array.spec, result, kChannelAxis) &&
               DiffersInAxisOnly(whole, result, kChannelAxis);
    all.offset = offset;
    all.channels += all.fits ? array.spec.shape[kChannelAxis] : 0;
  }
  return joined;
}

/// The place of each array. If several results could hold an array, it is placed in the largest: smaller results may
/// then find their parts side by side in it.
std::map<int, Placement> FindPlacements(const PlanningGraph& graph) {
  const ArrayUses uses(graph);
  std::map<int, Placement> placements;
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    const Join* join = AsJoin(node);
    if (join == nullptr || join->parts().size() < 2 || node.outputs.size() != 1) continue;
    const TensorSpec& result = graph.arrays[node.outputs.front()].spec;
    if (!IsChannelsLast(result)) continue;
    for (const auto& [root, joined] : CollectParts(graph, node, result)) {
      const PlannedArray& whole = graph.arrays[root];
      const bool writes = whole.memory == ArrayMemory::kArena && whole.allows_gaps && uses.writer(root) >= 0;
      const bool complete =
          joined.fits && IsChannelsLast(whole.spec) && joined.channels == whole.spec.shape[kChannelAxis];
      const bool inside = joined.offset >= 0 && *joined.offset + joined.channels <= result.shape[kChannelAxis];
      if (!writes || !complete || !inside) continue;
      Placement& placement = placements[root];
      const bool larger = placement.result < 0 || graph.arrays[placement.result].spec.size() < result.size();
      if (larger) placement = {node.outputs.front(), *joined.offset};
    }
  }
  return placements;
}

/// If all parts of a join lie side by side in the result of a larger join already, makes the join's result a view of
/// that result, so that nothing is copied. Returns whether it did.
bool BecomeView(PlanningGraph& graph, Node& node) {
  const std::vector<Join::Part>& parts = AsJoin(node)->parts();
  const int result = node.outputs.front();
  const TensorSpec& wanted = graph.arrays[result].spec;
  const auto array_of = [&](const Join::Part& part) { return node.inputs[static_cast<std::size_t>(part.input)].array; };
  const int first = array_of(parts.front());
  if (graph.arrays[result].memory != ArrayMemory::kArena || wanted.rank() < 2 || wanted.strides[1] != 1 || first < 0) {
    return false;
  }
  const PlannedArray start = graph.arrays[first];
  const auto bytes = static_cast<int64_t>(ElementBytes(wanted.type));
  for (const Join::Part& part : parts) {
    if (array_of(part) < 0) return false;
    const PlannedArray& array = graph.arrays[array_of(part)];
    const bool beside = array.memory == ArrayMemory::kView && array.root == start.root &&
                        array.offset == start.offset + (part.offset - parts.front().offset) * bytes &&
                        array.spec.type == wanted.type && array.spec.strides == start.spec.strides &&
                        array.spec.rank() == wanted.rank() && array.spec.strides[1] == 1 &&
                        DiffersInAxisOnly(array.spec, wanted, kChannelAxis);
    if (!beside) return false;
  }
  node.kind = Node::Kind::kView;
  node.outputs.clear();
  node.computation = nullptr;
  if (start.root == result) return false;  // the parts are written into the result
  graph.SetView(result, TensorSpec(wanted.type, wanted.shape, start.spec.strides), first, 0);
  return true;
}

bool ReadsChanged(const PlanningGraph& graph, const RuntimeOperator& op, const std::vector<bool>& changed) {
  bool reads = false;
  for (const auto& operand : op.input_operands_seq) {
    ForEachArray(graph.symbols.at(operand.get()), [&](int array) {
      reads = reads || (static_cast<std::size_t>(array) < changed.size() && changed[array]);
    });
  }
  return reads;
}

/// Binds all operators again that read arrays whose strides have changed. Returns false if one of them would have other
/// results.
bool FollowChanges(PlanningGraph& graph, const PlanningContext& context, std::vector<bool>& changed) {
  Inference inference(graph, context);
  for (std::size_t op = 0; op < graph.operators.size(); ++op) {
    const RuntimeOperator& current = *graph.operators[op];
    if (current.type == "pnnx.Input" || current.type == "pnnx.Output" || !ReadsChanged(graph, current, changed))
      continue;
    if (!inference.InferAgain(op, changed)) return false;
    Node* node = inference.FindNode(op);
    if (node == nullptr || AsJoin(*node) == nullptr) continue;
    const int result = node->outputs.front();
    if (BecomeView(graph, *node)) changed[static_cast<std::size_t>(result)] = true;
  }
  return true;
}

/// The arena that the arrays alone would take.
int64_t ArrayBytes(const PlanningGraph& graph) {
  const std::vector<Lifetime> lifetimes = LifetimesOf(graph);
  std::vector<MemoryRequest> requests;
  for (std::size_t i = 0; i < graph.arrays.size(); ++i) {
    const PlannedArray& array = graph.arrays[i];
    if (array.memory != ArrayMemory::kArena || lifetimes[i].first < 0) continue;
    requests.push_back({ByteCount(array.spec.type, array.spec.shape), lifetimes[i].first, lifetimes[i].last});
  }
  return PlanMemory(requests).total_bytes;
}

}  // namespace

void PlaceJoined(PlanningGraph& graph, const PlanningContext& context) {
  const std::map<int, Placement> placements = FindPlacements(graph);
  if (placements.empty()) return;
  PlanningGraph placed = graph;
  std::vector<bool> changed(placed.arrays.size(), false);
  for (const auto& [array, placement] : placements) {
    const TensorSpec spec = placed.arrays[array].spec;
    placed.SetView(array, TensorSpec(spec.type, spec.shape, placed.arrays[placement.result].spec.strides),
                   placement.result, placement.offset);
    changed[static_cast<std::size_t>(array)] = true;
  }
  if (!FollowChanges(placed, context, changed)) return;
  // A result that is alive from its first part on may need more memory than its parts.
  constexpr double kMostGrowth = 1.2;
  const auto before = static_cast<double>(ArrayBytes(graph));
  if (static_cast<double>(ArrayBytes(placed)) <= kMostGrowth * before) graph = std::move(placed);
}

}  // namespace kuiper_infer
