// SPDX-License-Identifier: MIT
#include "operators/convolution/convolution_chain.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

void ChainToProducer(PlanningGraph& graph, const PlanningContext& context, const ArrayUses& uses, Node& node) {
  const auto convolution = std::dynamic_pointer_cast<const Convolution>(node.computation);
  if (!node.alive || convolution == nullptr || convolution->arguments().input.input != 0) return;
  Node* before = uses.OnlyRead(graph, node.inputs.front());
  const auto rounds = [](const Node& n) { return n.fusion.result.grid.has_value(); };
  if (before == nullptr || node.fusion.factor >= 0 || before->fusion.residual >= 0 || before->fusion.factor >= 0)
    return;
  if (rounds(*before) || rounds(node)) return;
  const auto inputs = static_cast<int>(before->inputs.size());
  const auto chain =
      ConvolutionChain::Join(before->computation, before->fusion.activation, inputs, convolution, context);
  if (chain == nullptr) return;
  graph.arrays[node.inputs.front().array].memory = ArrayMemory::kNone;
  if (node.fusion.residual >= 0) node.fusion.residual += inputs - 1;
  node.inputs.erase(node.inputs.begin());
  node.inputs.insert(node.inputs.begin(), before->inputs.begin(), before->inputs.end());
  node.computation = chain;
  before->alive = false;
}

}  // namespace

void ChainConvolutions(PlanningGraph& graph, const PlanningContext& context) {
  const ArrayUses uses(graph);
  for (const std::size_t node : InRunningOrder(graph)) ChainToProducer(graph, context, uses, graph.nodes[node]);
}

}  // namespace kuiper_infer
