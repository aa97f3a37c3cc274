// SPDX-License-Identifier: MIT
#include <utility>

#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {

void RepairAttentionOutputs(pnnx::Graph& graph, pnnx::Operator& op) {
  if (op.type != "nn.MultiheadAttention" || op.inputs.empty() || op.outputs.size() != 1) return;
  const pnnx::Operand* query = op.inputs.front();
  const pnnx::Operand* result = op.outputs.front();
  if (query == nullptr || result == nullptr || !query->has_shape || !result->has_shape) return;
  const Shape input = RecordedShape(*query);
  const Shape output = RecordedShape(*result);
  if ((input.size() != 2 && input.size() != 3) || output.empty()) return;
  const bool is_result = output.back() == input.back() && SameShape(output, input);
  if (is_result) return;

  // Weights are (batch, query, key) if they are averaged over the heads, otherwise (batch, head, query, key).
  const auto batch_first = op.params.find("batch_first");
  Shape weights = input;
  if (input.size() == 3 && (batch_first == op.params.end() || !batch_first->second.b))
    std::swap(weights[0], weights[1]);
  weights.back() = kUnknownExtent;
  Shape of_heads = weights;
  const auto heads = op.params.find("num_heads");
  of_heads.insert(of_heads.end() - 2, heads == op.params.end() ? kUnknownExtent : heads->second.i);
  const bool averaged = SameShape(output, weights);
  if (!averaged && !SameShape(output, of_heads)) return;
  if (!averaged) op.params["average_attn_weights"] = false;
  InsertUnusedOutput(graph, op, 0);
}

}  // namespace kuiper_infer
