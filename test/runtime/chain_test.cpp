// SPDX-License-Identifier: MIT
// Chains of convolutions that are computed band by band.
#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

constexpr int kNarrow = 8;
constexpr int kWide = 48;
constexpr int kLarge = 160;  // rows of images that leave any second-level cache, and
constexpr int kSmall = 5;    // of some that stay in all

/// Adds a depthwise 3x3 convolution of stride 1.
pnnx::Operand* AddDepthwise(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input) {
  const int channels = input->shape[1];
  pnnx::Operand* result = AddConvolution(graph, name, input, channels, 3);
  pnnx::Operator* op = result->producer;
  op->params["groups"] = channels;
  std::vector<float> weight(static_cast<std::size_t>(channels * 9));
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i * 7 % 11) / 16 - 0.3F;
  op->attrs["weight"] = pnnx::Attribute({channels, 1, 3, 3}, weight);
  return result;
}

/// Expects `steps` steps, and the results of a run that writes every operand as a whole.
void CheckSteps(int height, const BuildNetwork& build, std::size_t steps) {
  CheckAgainstKept({1, kNarrow, height, 80}, build, [=](RuntimeGraph& graph, const NdArray&) {
    if (!kernel::HasProductKernels(UsedUnits())) return;  // kernels for older CPUs have no chains
    const auto profile = graph.Profile();
    EXPECT_EQ(profile.size(), steps);
    double work = 0;
    for (const auto& step : profile) work += step.multiply_adds;
    EXPECT_EQ(work, graph.report().multiply_adds) << "nothing is lost, nothing counted twice";
  });
}

pnnx::Operand* AddInvertedResidual(pnnx::Graph& graph, pnnx::Operand* input) {
  pnnx::Operand* wide = AddUnary(graph, "nn.ReLU6", "relu_a", {AddConvolution(graph, "expand", input, kWide, 1)});
  pnnx::Operand* filtered = AddUnary(graph, "nn.Hardswish", "relu_b", {AddDepthwise(graph, "filter", wide)});
  return AddConvolution(graph, "project", filtered, kNarrow, 1);
}

TEST(ChainTest, AnInvertedResidualIsOneStep) {
  CheckSteps(
      kLarge,
      [](pnnx::Graph& graph, pnnx::Operand* input) {
        pnnx::Operand* narrow = AddConvolution(graph, "narrow", input, kNarrow, 3);
        return AddExpression(graph, "sum", "add(@0,@1)", {AddInvertedResidual(graph, narrow), narrow});
      },
      2);
}

TEST(ChainTest, SmallImagesStayInTheCacheAnyway) { CheckSteps(kSmall, AddInvertedResidual, 3); }

TEST(ChainTest, ASecondReaderNeedsTheImage) {
  CheckSteps(
      kLarge,
      [](pnnx::Graph& graph, pnnx::Operand* input) {
        pnnx::Operand* wide = AddConvolution(graph, "expand", input, kWide, 1);
        pnnx::Operand* filtered = AddDepthwise(graph, "filter", wide);
        return AddExpression(graph, "product", "mul(@0,@1)", {filtered, wide});
      },
      3);
}

TEST(ChainTest, ChainsEndBehindTheirThirdStage) {
  CheckSteps(
      kLarge,
      [](pnnx::Graph& graph, pnnx::Operand* input) {
        pnnx::Operand* wide = AddConvolution(graph, "expand", input, kWide, 1);
        pnnx::Operand* twice = AddDepthwise(graph, "second", AddDepthwise(graph, "first", wide));
        return AddConvolution(graph, "project", twice, kNarrow, 1);
      },
      2);
}

TEST(ChainTest, WhatASumIsAddedToIsNoLink) {
  CheckSteps(
      kLarge,
      [](pnnx::Graph& graph, pnnx::Operand* input) {
        pnnx::Operand* other = AddConvolution(graph, "other", input, kWide, 1);
        pnnx::Operand* wide = AddConvolution(graph, "expand", input, kWide, 1);
        return AddDepthwise(graph, "filter", AddExpression(graph, "sum", "add(@0,@1)", {wide, other}));
      },
      3);
}

TEST(ChainTest, ImagesThatAreNotWrittenKeepTheirShapes) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, kNarrow, -1, -1});
  AddOutput(*source, 0, AddInvertedResidual(*source, input));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  graph.InferShapes({{"pnnx_input_0", {1, kNarrow, kLarge, 80}}});
  EXPECT_EQ(graph.find_operand("expand_out")->shapes, (std::vector<int32_t>{1, kWide, kLarge, 80}));
}

}  // namespace
}  // namespace kuiper_infer
