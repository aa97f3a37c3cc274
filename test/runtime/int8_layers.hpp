// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "runtime/graph_building.hpp"

namespace kuiper_infer {

/// Parts of graphs in integers. Scales are powers of two and numbers are small, so that float32 is exact.

constexpr float kOffGrid = 1.0F / 2048;  // with it, no result lies half-way between two numbers of a grid

/// Adds a rounding to eight bits.
inline pnnx::Operand* AddRounding(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input,
                                  float scale = 0.125F, int zero_point = 100) {
  pnnx::Operand* result = AddUnary(graph, "nn.quantized.Quantize", name, {input});
  result->producer->params["scale"] = scale;
  result->producer->params["zero_point"] = zero_point;
  return result;
}

/// Stores the weight of an operator, whose shape is set, as integers with a scale for each output, and adds a bias.
inline pnnx::Operand* InIntegers(pnnx::Operand* result, const std::string& name = "weight",
                                 const std::string& bias_name = "bias") {
  pnnx::Operator* op = result->producer;
  pnnx::Attribute& weight = op->attrs[name];
  int count = 1;
  for (const int extent : weight.shape) count *= extent;
  weight.type = 7;
  weight.data.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) weight.data[i] = static_cast<char>(i * 37 % 15 - 7);
  std::vector<double> scales(static_cast<std::size_t>(weight.shape[0]));
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = i % 3 == 0 ? 1.0 / 64 : 1.0 / 128;
  pnnx::Attribute& stored = op->attrs[name + ".q_per_channel_scales"];
  stored.type = 2;
  stored.shape = {weight.shape[0]};
  stored.data.resize(scales.size() * sizeof(double));
  std::memcpy(stored.data.data(), scales.data(), stored.data.size());
  std::vector<float> bias(scales.size());
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i * 5 % 9) / 8 - 0.5F + kOffGrid;
  op->attrs[bias_name] = pnnx::Attribute({weight.shape[0]}, bias);
  return result;
}

inline int CountMethods(RuntimeGraph& graph, const std::string& part) {
  int count = 0;
  for (const auto& step : graph.Profile()) count += step.method.find(part) != std::string::npos ? 1 : 0;
  return count;
}

}  // namespace kuiper_infer
