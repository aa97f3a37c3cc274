// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_plan.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

/// Fuses into the node a node that computes one of its inputs. Returns whether it did.
bool TakeOverProducer(PlanningGraph& graph, const ArrayUses& uses, Node& node) {
  const auto* work = dynamic_cast<const Elementwise*>(node.computation.get());
  for (std::size_t input = 0; work != nullptr && input < node.inputs.size(); ++input) {
    Node* before = uses.OnlyRead(graph, node.inputs[input]);
    const auto* first = before != nullptr ? dynamic_cast<const Elementwise*>(before->computation.get()) : nullptr;
    if (first == nullptr || before->fusion.result.grid) continue;
    auto joined = first->Before(static_cast<int>(before->inputs.size()), *work, static_cast<int>(input));
    if (joined == nullptr) continue;
    graph.arrays[node.inputs[input].array].memory = ArrayMemory::kNone;
    node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(input));
    node.inputs.insert(node.inputs.begin(), before->inputs.begin(), before->inputs.end());
    node.computation = std::move(joined);
    before->alive = false;
    return true;
  }
  return false;
}

}  // namespace

void FuseElementwise(PlanningGraph& graph, const PlanningContext& /*context*/) {
  const ArrayUses uses(graph);
  for (const std::size_t index : InRunningOrder(graph)) {
    Node& node = graph.nodes[index];
    while (node.alive && TakeOverProducer(graph, uses, node)) {
    }
  }
}

}  // namespace kuiper_infer
