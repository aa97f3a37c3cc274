// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "operators/product/fused_products.hpp"
#include "planning/passes.hpp"

namespace kuiper_infer {
namespace {

/// The most rows of products that are fused. Their results are all alive at once, so they should be small beside the
/// weights, and products of many rows take long beside the start of a parallel region. If the kernel rounds rows, any
/// number of rows is fused, because a fused product rounds them once instead of once for each product.
constexpr int64_t kMostRows = 16;

/// The input and the kernel of a product.
using Key = std::pair<int, const kernel::ProductKernel*>;

/// The product of a node that needs nothing but one array and constants, so that it can run as soon as the array is
/// there; null for any other node.
const WeightProduct* ProductOf(const Node& node) {
  const auto* product = dynamic_cast<const WeightProduct*>(node.computation.get());
  if (!node.runs() || product == nullptr) return nullptr;
  const auto arrays =
      std::count_if(node.inputs.begin(), node.inputs.end(), [](const NodeInput& input) { return input.array >= 0; });
  return arrays == 1 ? product : nullptr;
}

/// Lets the first node compute what all of them compute. It reads the array that they share as its first input.
void Fuse(PlanningGraph& graph, const std::vector<std::size_t>& nodes) {
  Node fused = graph.nodes[nodes.front()];
  fused.inputs = {{fused.inputs[ProductOf(fused)->input()].array, {}}};
  fused.outputs.clear();
  fused.fusion = {};
  std::vector<FusedProduct> parts;
  for (const std::size_t index : nodes) {
    Node& node = graph.nodes[index];
    std::vector<int> places;
    for (const NodeInput& input : node.inputs) {
      places.push_back(input.array >= 0 ? 0 : static_cast<int>(fused.inputs.size()));
      if (input.array < 0) fused.inputs.push_back(input);
    }
    parts.push_back({ProductOf(node)->WithInputsAt(places), FusionOf(graph, node)});
    fused.outputs.push_back(node.outputs.front());
    node.alive = false;
  }
  fused.computation = std::make_shared<const FusedProducts>(std::move(parts));
  graph.nodes[nodes.front()] = std::move(fused);
}

}  // namespace

void FuseProducts(PlanningGraph& graph, const PlanningContext& /*context*/) {
  std::map<Key, std::vector<std::size_t>> readers;
  for (const std::size_t index : InRunningOrder(graph)) {
    const Node& node = graph.nodes[index];
    const WeightProduct* product = ProductOf(node);
    if (product == nullptr) continue;
    const kernel::ProductKernel& kernel = product->KernelFor(FusionOf(graph, node));
    if (product->rows() > kMostRows && !kernel.rounds_rows) continue;
    const Key key(node.inputs[product->input()].array, &kernel);
    std::vector<std::size_t>& nodes = readers[key];
    nodes.push_back(index);
    if (nodes.size() < FusedProducts::kMost) continue;
    Fuse(graph, nodes);
    nodes.clear();
  }
  for (const auto& [key, nodes] : readers) {
    if (nodes.size() > 1) Fuse(graph, nodes);
  }
}

}  // namespace kuiper_infer
