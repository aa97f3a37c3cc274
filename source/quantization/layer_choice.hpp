// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// A convolution or a linear layer of a model.
struct LayerChoice {
  std::string name;
  std::string type;
  std::string kept;  ///< why it stays in float; empty where it may be quantised
};

/// All convolutions and linear layers with a float32 weight of their own, in the file's order. Those with several
/// groups stay in float: each of their outputs adds few products, and integers gain little there. The graph holds its
/// weights.
std::vector<LayerChoice> ListLayers(const pnnx::Graph& graph);

}  // namespace kuiper_infer::quantization
