// SPDX-License-Identifier: MIT
#include "quantization/search/layer_choice.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/product/int8/kernel.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "quantization/graph_edits.hpp"

namespace kuiper_infer::quantization {
namespace {

std::string WhyKept(const pnnx::Operator& op, const pnnx::Attribute& weight) {
  const auto groups = op.params.find("groups");
  const std::vector<int>& shape = weight.shape;
  if (groups != op.params.end() && groups->second.i > 1) {
    if (shape[1] != 1 || groups->second.i != shape[0]) return "grouped";
    if (shape.size() != 4 || shape[2] != shape[3]) return "depthwise, and its windows are no squares";
  } else if (op.type != "nn.Linear" && op.type != "nn.MultiheadAttention" && shape[0] < kernel::kLeastInt8Channels) {
    return "computed in float anyway, as it has fewer than " + std::to_string(kernel::kLeastInt8Channels) + " channels";
  }
  const std::vector<float> values = weight.get_float32_data();
  const bool finite = std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  return finite ? "" : "its weights are not all finite";
}

bool IsAttention(const pnnx::Operator& op) {
  static const std::set<std::string> kTypes = {"nn.MultiheadAttention", "F.scaled_dot_product_attention",
                                               "aten::scaled_dot_product_attention"};
  return kTypes.count(op.type) != 0;
}

}  // namespace

std::string WeightOf(const pnnx::Operator& op) {
  static const std::set<std::string> kTypes = {"nn.Conv1d", "nn.Conv2d", "nn.Conv3d", "nn.Linear"};
  if (kTypes.count(op.type) != 0) return op.inputs.size() == 1 ? "weight" : "";
  const bool masked = op.inputs.size() == 2 && op.inputnames.size() == 2 && op.inputnames[1] == "attn_mask";
  return op.type == "nn.MultiheadAttention" && (op.inputs.size() == 1 || masked) ? "in_proj_weight" : "";
}

std::vector<LayerChoice> ListLayers(const pnnx::Graph& graph) {
  std::vector<LayerChoice> layers;
  for (const pnnx::Operator* op : graph.ops) {
    // Attention that gives its weights computes them in float.
    const bool products_alone = IsAttention(*op) && WeightOf(*op).empty() && op->outputs.size() == 1;
    if (products_alone) layers.push_back({op->name, op->type, ""});
    const auto weight = op->attrs.find(WeightOf(*op));
    if (weight == op->attrs.end()) continue;
    if (weight->second.type != static_cast<int>(RuntimeDataType::kTypeFloat32) || weight->second.shape.size() < 2)
      continue;
    layers.push_back({op->name, op->type, WhyKept(*op, weight->second)});
  }
  return layers;
}

void QuantizeLayer(pnnx::Operator& op, WeightRounding rounding) {
  if (const std::string weight = WeightOf(op); !weight.empty()) StoreByChannel(op, weight, rounding);
  if (IsAttention(op)) op.params["int8_products"] = true;
}

}  // namespace kuiper_infer::quantization
