// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kuiper_infer/runtime/runtime_ir.hpp"

namespace kuiper_infer {

/// Small graphs built in a test.

constexpr int kFloat32 = 1;

inline pnnx::Operand* AddOperand(pnnx::Graph& graph, pnnx::Operator* producer, const std::string& name,
                                 std::vector<int> shape) {
  pnnx::Operand* operand = graph.new_operand(name);
  operand->producer = producer;
  operand->shape = std::move(shape);
  operand->has_shape = true;
  operand->type = kFloat32;
  producer->outputs.push_back(operand);
  return operand;
}

inline pnnx::Operand* AddInput(pnnx::Graph& graph, int number, std::vector<int> shape) {
  pnnx::Operator* op = graph.new_operator("pnnx.Input", "pnnx_input_" + std::to_string(number));
  return AddOperand(graph, op, "in" + std::to_string(number), std::move(shape));
}

inline void Use(pnnx::Operator* op, const std::vector<pnnx::Operand*>& inputs) {
  for (pnnx::Operand* input : inputs) {
    op->inputs.push_back(input);
    input->consumers.push_back(op);
  }
}

inline pnnx::Operand* AddUnary(pnnx::Graph& graph, const std::string& type, const std::string& name,
                               const std::vector<pnnx::Operand*>& inputs) {
  pnnx::Operator* op = graph.new_operator(type, name);
  Use(op, inputs);
  return AddOperand(graph, op, name + "_out", inputs.front()->shape);
}

inline void AddOutput(pnnx::Graph& graph, int number, pnnx::Operand* operand) {
  Use(graph.new_operator("pnnx.Output", "pnnx_output_" + std::to_string(number)), {operand});
}

/// A convolution of stride 1 that keeps the image's size, with weights and biases that differ.
inline pnnx::Operand* AddConvolution(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int channels,
                                     int kernel) {
  pnnx::Operand* result = AddUnary(graph, "nn.Conv2d", name, {input});
  pnnx::Operator* op = result->producer;
  const int inputs = input->shape[1];
  result->shape[1] = channels;
  op->params["kernel_size"] = std::vector<int>{kernel, kernel};
  op->params["padding"] = std::vector<int>{kernel / 2, kernel / 2};
  op->params["bias"] = true;
  const auto numbers = [](int count, int salt) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      values[static_cast<std::size_t>(i)] = static_cast<float>((i * 7 + salt) % 11) / 16 - 0.3F;
    return values;
  };
  op->attrs["weight"] =
      pnnx::Attribute({channels, inputs, kernel, kernel}, numbers(channels * inputs * kernel * kernel, 3));
  op->attrs["bias"] = pnnx::Attribute({channels}, numbers(channels, 5));
  return result;
}

/// An operator of one parameter that is an expression.
inline pnnx::Operand* AddExpression(pnnx::Graph& graph, const std::string& name, const std::string& expression,
                                    const std::vector<pnnx::Operand*>& inputs) {
  pnnx::Operand* result = AddUnary(graph, "pnnx.Expression", name, inputs);
  result->producer->params["expr"] = expression;
  return result;
}

}  // namespace kuiper_infer
