// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// A convolution, a linear layer or a self-attention (of which the projections of its input count) of a model.
struct LayerChoice {
  std::string name;
  std::string type;
  std::string kept;  ///< why it stays in float; empty where it may be quantised
};

/// The attribute of such an operator that is stored in integers; empty for other operators.
std::string WeightOf(const pnnx::Operator& op);

/// All such layers with a float32 weight of their own, in the file's order. Those with several
/// groups stay in float: each of their outputs adds few products, and integers gain little there. The graph holds its
/// weights.
std::vector<LayerChoice> ListLayers(const pnnx::Graph& graph);

}  // namespace kuiper_infer::quantization
