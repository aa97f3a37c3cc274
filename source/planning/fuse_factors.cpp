// SPDX-License-Identifier: MIT
#include "operators/convolution/channels_last_convolution.hpp"
#include "operators/elementwise/elementwise_plan.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

void FuseFactor(PlanningGraph& graph, const ArrayUses& uses, Node& node) {
  const auto* convolution = dynamic_cast<const Convolution*>(node.computation.get());
  if (!node.alive || convolution == nullptr || node.fusion.factor >= 0) return;
  NodeInput& image = node.inputs[static_cast<std::size_t>(convolution->arguments().input.input)];
  Node* before = uses.OnlyRead(graph, image);
  const auto* work = before != nullptr ? dynamic_cast<const Elementwise*>(before->computation.get()) : nullptr;
  const Elementwise::Product product = work != nullptr ? work->AsProduct() : Elementwise::Product{};
  if (product.array < 0 || before->fusion.result.grid) return;
  const NodeInput array = before->inputs[static_cast<std::size_t>(product.array)];
  const NodeInput factor = before->inputs[static_cast<std::size_t>(product.factor)];
  if (array.array < 0 || factor.array < 0) return;
  const bool as_is = work->ReadsAsItLies(product.array, graph.arrays[array.array].spec) &&
                     work->ReadsAsItLies(product.factor, graph.arrays[factor.array].spec);
  if (!as_is) return;
  Fusion fusion = FusionOf(graph, node);
  fusion.factor = static_cast<int>(node.inputs.size());
  fusion.factor_spec = graph.arrays[factor.array].spec;
  if (!convolution->CanFuse(fusion)) return;
  graph.arrays[image.array].memory = ArrayMemory::kNone;
  image = array;
  node.inputs.push_back(factor);
  node.fusion = fusion;
  before->alive = false;
}

}  // namespace

void FuseFactors(PlanningGraph& graph, const PlanningContext& /*context*/) {
  const ArrayUses uses(graph);
  for (const std::size_t node : InRunningOrder(graph)) FuseFactor(graph, uses, graph.nodes[node]);
}

}  // namespace kuiper_infer
