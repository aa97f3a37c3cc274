// SPDX-License-Identifier: MIT
#include "quantization/search/layer_forms.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "kuiper_infer/utils/data_type.hpp"
#include "quantization/constant_weights.hpp"
#include "quantization/graph_edits.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The constant if it is of type float32 and that rank, else null.
const pnnx::Attribute* Fitting(const pnnx::Attribute& constant, std::size_t rank) {
  const bool fits = constant.type == static_cast<int>(RuntimeDataType::kTypeFloat32) && constant.shape.size() == rank;
  return fits ? &constant : nullptr;
}

bool IsOne(const pnnx::Operator& op, const std::string& key) {
  const auto found = op.params.find(key);
  if (found == op.params.end()) return true;
  return found->second.type == 2 ? found->second.i == 1 : found->second.type == 3 && found->second.f == 1;
}

/// The operand for the operator's argument of one of these names or, if the file has no names, at that place; null if
/// there is none.
pnnx::Operand* InputOf(const pnnx::Operator& op, const std::set<std::string>& names, std::size_t place) {
  for (std::size_t i = 0; i < op.inputnames.size(); ++i) {
    if (names.count(op.inputnames[i]) != 0) return op.inputs[i];
  }
  return place < op.inputs.size() ? op.inputs[place] : nullptr;
}

/// The float32 constant of that rank that an argument is, as a weight of the operator's own or as an operand; or null.
const pnnx::Attribute* ConstantOf(const pnnx::Operator& op, const std::set<std::string>& names, std::size_t place,
                                  std::size_t rank) {
  for (const auto& [key, weight] : op.attrs) {
    if (names.count(key) != 0) return Fitting(weight, rank);
  }
  const pnnx::Operand* const input = InputOf(op, names, place);
  const pnnx::Operator* const producer = input == nullptr ? nullptr : input->producer;
  if (producer == nullptr || producer->type != "pnnx.Attribute" || producer->attrs.size() != 1) return nullptr;
  return Fitting(producer->attrs.begin()->second, rank);
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

/// Gives an operator of PyTorch with weights of its own the name of the module: both are the same row of the table.
void NameModule(pnnx::Operator& op) {
  static const std::map<std::string, std::string> kModules = {{"aten::conv1d", "nn.Conv1d"},
                                                              {"aten::conv2d", "nn.Conv2d"},
                                                              {"aten::conv3d", "nn.Conv3d"},
                                                              {"aten::linear", "nn.Linear"}};
  const auto module = kModules.find(op.type);
  if (module == kModules.end() || op.inputs.size() != 1 || op.attrs.count("weight") == 0) return;
  op.type = module->second;
  op.inputnames.clear();
}

void MakeLinear(pnnx::Operator& op) {
  const bool product = op.type == "torch.addmm" || op.type == "aten::addmm";
  if (!product || op.inputs.size() + op.attrs.size() != 3 || !IsOne(op, "alpha") || !IsOne(op, "beta")) return;
  pnnx::Operand* const rows = op.attrs.count("mat1") == 0 ? InputOf(op, {"mat1"}, 1) : nullptr;
  const pnnx::Attribute* const weight = ConstantOf(op, {"mat2"}, 2, 2);
  const pnnx::Attribute* const added = ConstantOf(op, {"input", "self"}, 0, 1);
  if (rows == nullptr || weight == nullptr || added == nullptr || added->shape[0] != weight->shape[1]) return;
  const pnnx::Operand* const matrix = op.attrs.count("mat2") == 0 ? InputOf(op, {"mat2"}, 2) : nullptr;
  op.type = "nn.Linear";
  op.params = {{"bias", true}, {"in_features", weight->shape[0]}, {"out_features", weight->shape[1]}};
  op.attrs = std::map<std::string, pnnx::Attribute>{{"weight", Transposed(*weight)}, {"bias", *added}};
  if (matrix != nullptr && matrix->consumers.size() == 1) op.name = matrix->producer->name;
  for (pnnx::Operand* input : std::vector<pnnx::Operand*>(op.inputs)) input->remove_consumer(&op);
  op.inputs = {rows};
  op.inputnames.clear();
  rows->consumers.push_back(&op);
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
    NameModule(*op);
    MakeLinear(*op);
    MakeLinearOfProduct(*op);
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
