// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"
#include "quantization/weight_rounding.hpp"

namespace kuiper_infer::quantization {

/// A convolution, a linear layer or an attention of a model. Of self-attention, the projections of its input and the
/// products of queries, keys and values are one layer; of scaled_dot_product_attention and of attention that projects
/// several inputs the products alone are one.
struct LayerChoice {
  std::string name;
  std::string type;
  std::string kept;  ///< why it stays in float; empty where it may be quantised
};

/// The attribute of such an operator that is stored in integers; empty where it has none, and for other operators.
std::string WeightOf(const pnnx::Operator& op);

/// All such layers, those with weights where these are float32 and their own, in the file's order. Those with several
/// groups stay in float: each of their outputs adds few products, and integers gain little there. The graph holds its
/// weights.
std::vector<LayerChoice> ListLayers(const pnnx::Graph& graph);

/// Makes a layer one in integers: its weight is stored so, and products of attention are to be computed so.
void QuantizeLayer(pnnx::Operator& op, WeightRounding rounding);

}  // namespace kuiper_infer::quantization
