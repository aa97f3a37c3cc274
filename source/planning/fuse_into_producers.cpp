// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "operators/elementwise/elementwise_plan.hpp"
#include "operators/quantization/grid_rounding.hpp"
#include "planning/passes.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

/// Fuses element-wise nodes into the nodes that compute their inputs.
class ProducerFusion {
 public:
  explicit ProducerFusion(PlanningGraph& graph) : graph_(graph), uses_(graph) {}

  void Visit(Node& node) {
    if (!node.alive) return;
    if (const auto* rounding = dynamic_cast<const GridRounding*>(node.computation.get())) {
      FuseRounding(*rounding, node);
      return;
    }
    const auto* work = dynamic_cast<const Elementwise*>(node.computation.get());
    if (work == nullptr) return;
    if (const kernel::Activation activation = work->AsActivation(); activation.function != nullptr) {
      Node* producer = FindProducer(node, 0);
      if (producer == nullptr) return;
      Fusion fusion = FusionOf(graph_, *producer);
      fusion.activation = activation;
      Fuse(node, *producer, fusion, nullptr);
    } else if (work->IsSum() && node.inputs.size() >= 2 && node.inputs[0].array != node.inputs[1].array) {
      FuseSum(*work, node);
    }
  }

 private:
  void FuseRounding(const GridRounding& rounding, Node& node) {
    Node* producer = uses_.OnlyRead(graph_, node.inputs[0]);
    if (producer == nullptr || producer->fusion.result.grid) return;
    Fusion fusion = FusionOf(graph_, *producer);
    fusion.result.grid = rounding.grid();
    Fuse(node, *producer, fusion, nullptr);
  }

  /// Fuses the addition into the later of the two producers, because the other array exists by then.
  void FuseSum(const Elementwise& work, Node& node) {
    std::array<Node*, 2> producers{FindProducer(node, 0), FindProducer(node, 1)};
    std::array<std::size_t, 2> order{0, 1};
    if (producers[0] != nullptr && producers[1] != nullptr && producers[1]->position > producers[0]->position) {
      std::swap(order[0], order[1]);
    }
    for (const std::size_t input : order) {
      Node* producer = producers[input];
      const NodeInput& other = node.inputs[1 - input];
      if (producer == nullptr || producer->fusion.residual >= 0 || other.array < 0) continue;
      if (!work.ReadsAsItLies(static_cast<int>(1 - input), graph_.arrays[other.array].spec)) continue;
      Fusion fusion = FusionOf(graph_, *producer);
      fusion.residual = static_cast<int>(producer->inputs.size());
      fusion.residual_spec = graph_.arrays[other.array].spec;
      if (Fuse(node, *producer, fusion, &other)) return;
    }
  }

  /// The node that computes this input; null if there is none. The input has to be the node's only result and must not
  /// have another reader.
  /// The node must not apply an activation or round its result yet.
  Node* FindProducer(const Node& node, std::size_t input) {
    Node* producer = uses_.OnlyRead(graph_, node.inputs[input]);
    if (producer == nullptr || producer->fusion.result.grid) return nullptr;
    return producer->fusion.activation.function == nullptr ? producer : nullptr;
  }

  bool Fuse(Node& node, Node& producer, const Fusion& fusion, const NodeInput* residual) {
    const int result = node.outputs.front();
    const int before = producer.outputs.front();
    const PlannedArray& written = graph_.arrays[before];
    const TensorSpec& wanted = graph_.arrays[result].spec;
    const bool same = written.spec.type == wanted.type && written.spec.shape == wanted.shape &&
                      CommonOrder({written.spec}) == CommonOrder({wanted});
    if (!same || !producer.computation->CanFuse(fusion)) return false;
    producer.fusion = fusion;
    if (residual != nullptr) {
      const int writer = uses_.writer(graph_.RootOf(residual->array));
      const bool ready = writer < 0 || graph_.nodes[writer].position < producer.position;
      if (!ready) producer.position = node.position;
      producer.inputs.push_back(*residual);
    }
    graph_.arrays[result].allows_gaps = written.allows_gaps;
    graph_.arrays[before].memory = ArrayMemory::kNone;
    producer.outputs = {result};
    uses_.SetWriter(result, static_cast<int>(&producer - graph_.nodes.data()));
    node.alive = false;
    return true;
  }

  PlanningGraph& graph_;
  ArrayUses uses_;
};

}  // namespace

void FuseIntoProducers(PlanningGraph& graph, const PlanningContext& /*context*/) {
  ProducerFusion fusion(graph);
  for (const std::size_t node : InRunningOrder(graph)) fusion.Visit(graph.nodes[node]);
}

}  // namespace kuiper_infer
