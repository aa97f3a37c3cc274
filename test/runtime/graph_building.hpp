// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "planning/planning_graph.hpp"

namespace kuiper_infer {

/// Builders of small graphs for tests.

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

/// Adds a convolution of stride 1 that keeps the image's size, with distinct weights and biases.
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

/// Adds an operator with one parameter, an expression.
inline pnnx::Operand* AddExpression(pnnx::Graph& graph, const std::string& name, const std::string& expression,
                                    const std::vector<pnnx::Operand*>& inputs) {
  pnnx::Operand* result = AddUnary(graph, "pnnx.Expression", name, inputs);
  result->producer->params["expr"] = expression;
  return result;
}

/// Adds a split of an image's channels into halves.
inline std::pair<pnnx::Operand*, pnnx::Operand*> AddHalves(pnnx::Graph& graph, const std::string& name,
                                                           pnnx::Operand* input) {
  pnnx::Operand* first = AddUnary(graph, "torch.chunk", name, {input});
  first->producer->params["chunks"] = 2;
  first->producer->params["dim"] = 1;
  first->shape[1] = input->shape[1] / 2;
  return {first, AddOperand(graph, first->producer, name + "_second", first->shape)};
}

using BuildNetwork = std::function<pnnx::Operand*(pnnx::Graph&, pnnx::Operand*)>;

/// Makes a network of one input; `build` returns its last operand. Runs it once as planned, and once with every operand
/// kept, without passes, and expects the same numbers. `look` gets the graph after the first run.
inline void CheckAgainstKept(const std::vector<int>& shape, const BuildNetwork& build,
                             const std::function<void(RuntimeGraph&, const NdArray&)>& look) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, shape);
  AddOutput(*source, 0, build(*source, input));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray x(RuntimeDataType::kTypeFloat32, Shape(shape.begin(), shape.end()));
  for (int i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
  graph.set_input("pnnx_input_0", x);
  graph.Run();
  const NdArray found = graph.outputs().front().Clone();
  look(graph, x);
  graph.Forward(true);
  const NdArray kept = graph.outputs().front();
  ASSERT_EQ(found.shape(), kept.shape());
  for (int64_t i = 0; i < kept.size(); ++i) ASSERT_NEAR(found.data<float>()[i], kept.data<float>()[i], 1e-5) << i;
}

/// Returns the number of arrays that are written directly into a larger array.
inline int64_t CountPlaced(const PlanningGraph& graph) {
  int64_t count = 0;
  for (const Node& node : graph.nodes) {
    for (const int array : node.outputs) {
      if (node.alive && graph.arrays[array].memory == ArrayMemory::kView) ++count;
    }
  }
  return count;
}

/// Builds the graph, runs it once on its only input and returns the output's numbers.
inline std::vector<float> RunOnce(std::unique_ptr<pnnx::Graph> source, const NdArray& input) {
  RuntimeGraph graph(std::move(source));
  graph.Build();
  graph.set_input("pnnx_input_0", input);
  graph.Run();
  const NdArray output = graph.outputs().front();
  return {output.data<float>(), output.data<float>() + output.size()};
}

/// Builds the graph, and sets an image of distinct numbers as its first input.
inline RuntimeGraph BuildWithImage(std::unique_ptr<pnnx::Graph> source, int threads, const Shape& shape) {
  RuntimeGraph graph(std::move(source));
  graph.set_num_threads(threads);
  graph.Build();
  NdArray image(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < image.size(); ++i) image.data<float>()[i] = static_cast<float>(i * 5 % 23) / 16 - 0.7F;
  graph.set_input("pnnx_input_0", image);
  return graph;
}

}  // namespace kuiper_infer
