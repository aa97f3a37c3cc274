// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"
#include "quantization/weight_rounding.hpp"

namespace kuiper_infer::quantization {

/// A convolution, a linear layer or an attention of a model. In self-attention, the projections of the input and the
/// products of queries, keys and values are one layer. In scaled_dot_product_attention, and in attention that projects
/// several inputs, only the products are.
struct LayerChoice {
  std::string name;
  std::string type;
  std::string kept;  ///< why it stays in float; empty if it may be quantised
};

/// The attribute of an operator that is stored in integers. Empty if it has none, or if it is not one of these layers.
std::string WeightOf(const pnnx::Operator& op);

/// All layers of a graph that holds its weights, in the file's order. A layer with weights is listed only if they are
/// float32 and belong to it alone. A convolution with several groups stays in float: each of its outputs adds few
/// products, so that integers gain little.
std::vector<LayerChoice> ListLayers(const pnnx::Graph& graph);

/// Quantises a layer: its weight is stored in integers, and products of attention are marked to be computed in
/// integers.
void QuantizeLayer(pnnx::Operator& op, WeightRounding rounding);

}  // namespace kuiper_infer::quantization
