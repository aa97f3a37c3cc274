// SPDX-License-Identifier: MIT
#include "quantization/search/layer_forms.hpp"

#include <map>

#include <gtest/gtest.h>

#include "quantization/saved_model.hpp"
#include "quantization/weights_only.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kRows = 5;
constexpr int kInputs = 64;
constexpr int kOutputs = 96;

pnnx::Operand* AddConstant(pnnx::Graph& graph, const std::string& name, const std::vector<int>& shape) {
  pnnx::Operator* const op = graph.new_operator("pnnx.Attribute", name);
  int count = 1;
  for (const int extent : shape) count *= extent;
  op->attrs["data"] = pnnx::Attribute(shape, std::vector<float>(static_cast<std::size_t>(count)));
  Randomise(op->attrs["data"], kSeed + static_cast<unsigned>(count), 1.0F);
  return AddOperand(graph, op, name + "_out", shape);
}

/// Returns a sum of a product as the converter writes GPT-2's layers. If `named`, its arguments have names and another
/// order.
std::unique_ptr<pnnx::Graph> MakeSum(bool named, int alpha) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const x = AddInput(*graph, 0, {kRows, kInputs});
  pnnx::Operand* const matrix = AddConstant(*graph, "attention", {kInputs, kOutputs});
  pnnx::Operand* const bias = AddConstant(*graph, "unnamed", {kOutputs});
  using Operands = std::vector<pnnx::Operand*>;
  pnnx::Operand* const sum =
      AddUnary(*graph, "torch.addmm", "sum", named ? Operands{x, matrix, bias} : Operands{bias, x, matrix});
  sum->shape = {kRows, kOutputs};
  pnnx::Operator& op = *sum->producer;
  op.params = {{"alpha", alpha}, {"beta", 1}};
  if (named) op.inputnames = {"mat1", "mat2", "input"};
  kuiper_infer::AddOutput(*graph, 0, sum);
  return graph;
}

const pnnx::Operator* FindType(const pnnx::Graph& graph, const std::string& type) {
  for (const pnnx::Operator* op : graph.ops) {
    if (op->type == type) return op;
  }
  return nullptr;
}

TEST(LayerForms, SumsOfProductsBecomeLinear) {
  const NdArray input = RandomArray({kRows, kInputs}, kSeed);
  for (const bool named : {false, true}) {
    SCOPED_TRACE(named);
    auto changed = MakeSum(named, 1);
    UnifyLayers(*changed);
    ASSERT_EQ(changed->ops.size(), 3U);
    EXPECT_EQ(changed->operands.size(), 2U);
    const pnnx::Operator* linear = FindType(*changed, "nn.Linear");
    ASSERT_NE(linear, nullptr);
    EXPECT_EQ(linear->name, "attention");
    EXPECT_EQ(RunOnce(std::move(changed), input), RunOnce(MakeSum(named, 1), input));
  }
}

/// Returns a layer as kuiper_infer.export writes it: PyTorch's operator with the constants as its own weights.
std::unique_ptr<pnnx::Graph> MakeExported(const std::string& type, const Shape& input, const Shape& output,
                                          const std::map<std::string, std::vector<int>>& weights,
                                          const std::string& argument) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const x = AddInput(*graph, 0, {input.begin(), input.end()});
  pnnx::Operand* const y = AddUnary(*graph, type, "layer", {x});
  y->shape.assign(output.begin(), output.end());
  y->producer->inputnames = {argument};
  for (const auto& [key, shape] : weights) {
    int count = 1;
    for (const int extent : shape) count *= extent;
    y->producer->attrs[key] = pnnx::Attribute(shape, std::vector<float>(static_cast<std::size_t>(count)));
    Randomise(y->producer->attrs[key], kSeed + static_cast<unsigned>(count), 1.0F);
  }
  kuiper_infer::AddOutput(*graph, 0, y);
  return graph;
}

TEST(LayerForms, OperatorsWithWeightsOfTheirOwnBecomeModules) {
  const auto check = [](const std::string& module, const Shape& input, const auto& make) {
    SCOPED_TRACE(module);
    auto changed = make();
    UnifyLayers(*changed);
    const pnnx::Operator* layer = FindType(*changed, module);
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(layer->name, "layer");
    EXPECT_EQ(layer->attrs.count("weight"), 1U);
    EXPECT_EQ(RunOnce(std::move(changed), RandomArray(input, kSeed)), RunOnce(make(), RandomArray(input, kSeed)));
  };
  check("nn.Linear", {5, 64}, [] {
    return MakeExported("aten::linear", {5, 64}, {5, 96}, {{"weight", {96, 64}}, {"bias", {96}}}, "input");
  });
  check("nn.Linear", {5, 64}, [] {
    return MakeExported("aten::addmm", {5, 64}, {5, 96}, {{"mat2", {64, 96}}, {"self", {96}}}, "mat1");
  });
  check("nn.Conv2d", {1, 4, 6, 6}, [] {
    return MakeExported("aten::conv2d", {1, 4, 6, 6}, {1, 8, 4, 4}, {{"weight", {8, 4, 3, 3}}}, "input");
  });
}

TEST(LayerForms, OtherSumsStay) {
  auto scaled = MakeSum(false, 2);
  UnifyLayers(*scaled);
  EXPECT_EQ(scaled->ops.size(), 5U);
  EXPECT_EQ(FindType(*scaled, "nn.Linear"), nullptr);
}

TEST(LayerForms, AMatrixThatOthersReadStaysThere) {
  auto graph = MakeSum(false, 1);
  kuiper_infer::AddOutput(*graph, 1, graph->get_operand("attention_out"));
  UnifyLayers(*graph);
  const pnnx::Operator* linear = FindType(*graph, "nn.Linear");
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->name, "sum");
  ASSERT_NE(FindType(*graph, "pnnx.Attribute"), nullptr);
  EXPECT_EQ(FindType(*graph, "pnnx.Attribute")->name, "attention");
}

TEST(LayerForms, TheirWeightsCanBeStoredInIntegers) {
  const SavedModel saved(*MakeSum(true, 1));
  const QuantizedModel result = StoreWeights(saved.model, {8, 32});
  ASSERT_EQ(result.report.layers.size(), 1U);
  EXPECT_EQ(result.report.layers.front().name, "attention");
  EXPECT_EQ(result.report.layers.front().form, "int8");
}

/// Returns self-attention over (2, 7, 32), with or without bias.
std::unique_ptr<pnnx::Graph> MakeAttention(bool biased) {
  auto graph = std::make_unique<pnnx::Graph>();
  kuiper_infer::AddOutput(*graph, 0, AddAttention(*graph, "attention", AddInput(*graph, 0, {2, 7, 32}), 4));
  if (!biased) graph->ops[1]->attrs.erase("out_proj.bias");
  return graph;
}

TEST(LayerForms, OutputProjectionsOfAttentionBecomeLinear) {
  const NdArray input = RandomArray({2, 7, 32}, kSeed);
  for (const bool biased : {false, true}) {
    SCOPED_TRACE(biased);
    auto changed = MakeAttention(biased);
    UnifyLayers(*changed);
    const pnnx::Operator* linear = FindType(*changed, "nn.Linear");
    ASSERT_NE(linear, nullptr);
    EXPECT_EQ(linear->name, "attention.out_proj");
    EXPECT_EQ(linear->attrs.count("bias"), biased ? 1U : 0U);
    EXPECT_EQ(changed->get_operand("attention_out")->producer, linear);
    const std::vector<float> found = RunOnce(std::move(changed), input);
    EXPECT_EQ(found, RunOnce(MakeAttention(biased), input)) << "seed " << kSeed;
  }
}

}  // namespace
}  // namespace kuiper_infer::quantization
