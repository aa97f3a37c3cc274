// SPDX-License-Identifier: MIT
#include "quantization/layer_forms.hpp"

#include <algorithm>
#include <set>

#include "kuiper_infer/utils/data_type.hpp"
#include "quantization/graph_edits.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The float32 constant of that rank that produces an operand; null if something else produces it.
const pnnx::Attribute* ConstantOf(const pnnx::Operand& operand, std::size_t rank) {
  const pnnx::Operator* producer = operand.producer;
  if (producer == nullptr || producer->type != "pnnx.Attribute" || producer->attrs.size() != 1) return nullptr;
  const pnnx::Attribute& constant = producer->attrs.begin()->second;
  const bool fits = constant.type == static_cast<int>(RuntimeDataType::kTypeFloat32) && constant.shape.size() == rank;
  return fits ? &constant : nullptr;
}

bool IsOne(const pnnx::Operator& op, const std::string& key) {
  const auto found = op.params.find(key);
  if (found == op.params.end()) return true;
  return found->second.type == 2 ? found->second.i == 1 : found->second.type == 3 && found->second.f == 1;
}

/// The operand for the operator's argument of that name or, if the file has no names, at that place.
pnnx::Operand& InputOf(const pnnx::Operator& op, const std::string& name, std::size_t place) {
  const auto found = std::find(op.inputnames.begin(), op.inputnames.end(), name);
  return *op.inputs[found != op.inputnames.end() ? static_cast<std::size_t>(found - op.inputnames.begin()) : place];
}

pnnx::Attribute Transposed(const pnnx::Attribute& matrix) {
  const std::vector<float> values = matrix.get_float32_data();
  const auto rows = static_cast<std::size_t>(matrix.shape[0]);
  const auto columns = static_cast<std::size_t>(matrix.shape[1]);
  std::vector<float> turned(values.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) turned[j * rows + i] = values[i * columns + j];
  }
  return {{matrix.shape[1], matrix.shape[0]}, turned};
}

void MakeLinear(pnnx::Operator& op) {
  if (op.type != "torch.addmm" || op.inputs.size() != 3 || !IsOne(op, "alpha") || !IsOne(op, "beta")) return;
  const pnnx::Operand& bias = InputOf(op, "input", 0);
  pnnx::Operand& rows = InputOf(op, "mat1", 1);
  const pnnx::Operand& matrix = InputOf(op, "mat2", 2);
  const pnnx::Attribute* const weight = ConstantOf(matrix, 2);
  const pnnx::Attribute* const added = ConstantOf(bias, 1);
  if (weight == nullptr || added == nullptr || added->shape[0] != weight->shape[1]) return;
  op.type = "nn.Linear";
  op.params = {{"bias", true}, {"in_features", weight->shape[0]}, {"out_features", weight->shape[1]}};
  op.attrs = {{"weight", Transposed(*weight)}, {"bias", *added}};
  if (matrix.consumers.size() == 1) op.name = matrix.producer->name;
  for (pnnx::Operand* input : std::vector<pnnx::Operand*>(op.inputs)) input->remove_consumer(&op);
  op.inputs = {&rows};
  op.inputnames.clear();
  rows.consumers.push_back(&op);
}

void Move(pnnx::Operator& from, const std::string& key, pnnx::Operator& to, const std::string& new_key) {
  const auto found = from.attrs.find(key);
  if (found == from.attrs.end()) return;
  to.attrs[new_key] = std::move(found->second);
  from.attrs.erase(found);
}

void SplitAttention(pnnx::Graph& graph, pnnx::Operator& attention) {
  const auto weight = attention.attrs.find("out_proj.weight");
  if (attention.type != "nn.MultiheadAttention" || attention.outputs.empty() || weight == attention.attrs.end()) return;
  const pnnx::Attribute& matrix = weight->second;
  if (matrix.type != static_cast<int>(RuntimeDataType::kTypeFloat32) || matrix.shape.size() != 2) return;
  const bool biased = attention.attrs.count("out_proj.bias") != 0;
  const int inputs = matrix.shape[1];
  const int outputs = matrix.shape[0];
  const std::string name = FreeName(graph, attention.name + ".out_proj");
  pnnx::Operator* const linear = graph.new_operator_after("nn.Linear", name, &attention);
  linear->params = {{"bias", biased}, {"in_features", inputs}, {"out_features", outputs}};
  Move(attention, "out_proj.weight", *linear, "weight");
  Move(attention, "out_proj.bias", *linear, "bias");
  attention.params["out_proj"] = false;

  pnnx::Operand* const result = attention.outputs.front();
  pnnx::Operand* const context = graph.new_operand(FreeName(graph, attention.name + "_context"));
  context->producer = &attention;
  context->consumers = {linear};
  context->type = result->type;
  context->shape = result->shape;
  context->has_shape = result->has_shape;
  attention.outputs.front() = context;
  linear->inputs = {context};
  linear->outputs = {result};
  result->producer = linear;
}

}  // namespace

void UnifyLayers(pnnx::Graph& graph) {
  std::set<const pnnx::Operand*> before;
  for (const pnnx::Operand* operand : graph.operands) {
    if (!operand->consumers.empty()) before.insert(operand);
  }
  for (pnnx::Operator* op : std::vector<pnnx::Operator*>(graph.ops)) {
    DropRepeatedWeights(*op);
    MakeLinear(*op);
    SplitAttention(graph, *op);
  }
  const auto dropped = [&](const pnnx::Operand* operand) {
    return operand->consumers.empty() && before.count(operand) > 0;
  };
  const auto makes_dropped = [&](const pnnx::Operator* op) {
    return op->outputs.size() == 1 && dropped(op->outputs[0]);
  };
  graph.ops.erase(std::remove_if(graph.ops.begin(), graph.ops.end(), makes_dropped), graph.ops.end());
  graph.operands.erase(std::remove_if(graph.operands.begin(), graph.operands.end(), dropped), graph.operands.end());
}

}  // namespace kuiper_infer::quantization
