// SPDX-License-Identifier: MIT
#include "operators/convolution/channels_last_convolution.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {

void ChooseMethods(PlanningGraph& graph, const PlanningContext& context) {
  for (Node& node : graph.nodes) {
    const auto* convolution = dynamic_cast<const Convolution*>(node.computation.get());
    if (node.alive && convolution != nullptr) {
      node.computation = convolution->WithMethod(FusionOf(graph, node).InputStorage(0), context);
    }
  }
}

}  // namespace kuiper_infer
