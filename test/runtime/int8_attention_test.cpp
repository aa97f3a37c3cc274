// SPDX-License-Identifier: MIT
// Attention in integers: its input and its context are rounded, and the weights of all projections are stored in 8
// bits.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/int8/kernel.hpp"
#include "runtime/int8_layers.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

constexpr int kWidth = 32;

/// Adds attention without output projection, whose input weights are integers. `inputs` are query, key, value, mask.
pnnx::Operand* AddAttention(pnnx::Graph& graph, const std::vector<pnnx::Operand*>& inputs, bool batch_first = true) {
  pnnx::Operand* context = AddUnary(graph, "nn.MultiheadAttention", "attention", inputs);
  pnnx::Operator* op = context->producer;
  op->params = {{"num_heads", 4}, {"embed_dim", kWidth}, {"batch_first", batch_first}, {"out_proj", false}};
  op->attrs["in_proj_weight"].shape = {3 * kWidth, kWidth};
  return InIntegers(context, "in_proj_weight", "in_proj_bias");
}

pnnx::Operand* AddProjection(pnnx::Graph& graph, pnnx::Operand* context, int zero_point = 100) {
  pnnx::Operand* rounded = AddRounding(graph, "q_context", context, 1.0F / 64, zero_point);
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", "out_proj", {rounded});
  result->producer->attrs["weight"].shape = {kWidth, kWidth};
  return InIntegers(result);
}

/// Returns the methods of the steps in order.
std::vector<std::string> Methods(RuntimeGraph& graph) {
  std::vector<std::string> methods;
  for (const auto& step : graph.Profile()) methods.push_back(step.method);
  return methods;
}

using Strings = std::vector<std::string>;

/// Expects these steps if the CPU computes in integers, and in any case the results of a run that keeps every operand.
void Check(const std::vector<int>& shape, const Strings& methods, const BuildNetwork& build) {
  CheckAgainstKept(shape, build, [&](RuntimeGraph& graph, const NdArray&) {
    if ((UsedInt8Unit() != Int8Unit::kPortable)) {
      EXPECT_EQ(methods, Methods(graph));
    }
  });
}

TEST(Int8AttentionTest, ReadsAndWritesBytes) {
  for (const bool batch_first : {true, false}) {
    SCOPED_TRACE(batch_first);
    Check({3, 7, kWidth}, {"bytes", "int8", "int8"}, [=](pnnx::Graph& graph, pnnx::Operand* x) {
      return AddProjection(graph, AddAttention(graph, {AddRounding(graph, "q", x)}, batch_first));
    });
  }
}

TEST(Int8AttentionTest, SignedGrids) {
  Check({1, 20, kWidth}, {"bytes", "int8", "int8"}, [](pnnx::Graph& graph, pnnx::Operand* x) {
    return AddProjection(graph, AddAttention(graph, {AddRounding(graph, "q", x, 0.125F, -9)}), -3);
  });
}

TEST(Int8AttentionTest, RowsBehindTheKeysLeaveGapsBetweenTheBatches) {
  Check({3, 5, kWidth}, {"bytes", "int8", "int8"}, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* context = AddAttention(graph, {AddRounding(graph, "q", x)});
    context->producer->params["add_zero_attn"] = true;
    return AddProjection(graph, context);
  });
}

TEST(Int8AttentionTest, OtherKeysAreProjectedInFloats) {
  Check({2, 6, kWidth}, {"", "bytes", "int8", "int8"}, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* other = AddUnary(graph, "torch.flip", "other", {x});
    other->producer->params["dims"] = std::vector<int>{1};
    return AddProjection(graph, AddAttention(graph, {AddRounding(graph, "q", x), other, other}));
  });
}

TEST(Int8AttentionTest, ElementwiseReadersTakeBytes) {
  Check({2, 6, kWidth}, {"bytes", "int8", ""}, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q", x);
    pnnx::Operand* context = AddRounding(graph, "q_context", AddAttention(graph, {x}), 1.0F / 64);
    return AddExpression(graph, "both", "mul(@0,sub(@1,3.0))", {context, x});
  });
}

TEST(Int8AttentionTest, FloatReadersGetFloats) {
  Check({2, 6, kWidth}, {"", "int8", "", ""}, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q", x);
    pnnx::Operand* context = AddRounding(graph, "q_context", AddAttention(graph, {x}), 1.0F / 64);
    pnnx::Operand* sums = AddUnary(graph, "torch.cumsum", "sums", {x});
    sums->producer->params["dim"] = 2;
    return AddExpression(graph, "both", "mul(@0,@1)", {context, sums});
  });
}

TEST(Int8AttentionTest, ContextInFloats) {
  Check({2, 6, kWidth}, {"bytes", "int8"},
        [](pnnx::Graph& graph, pnnx::Operand* x) { return AddAttention(graph, {AddRounding(graph, "q", x)}); });
}

/// Returns numbers from -1 to 1.
NdArray Numbers(const Shape& shape) {
  NdArray numbers(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < numbers.size(); ++i) numbers.data<float>()[i] = static_cast<float>(i * 37 % 113) / 56 - 1;
  return numbers;
}

/// Compares the outputs of a network of one input, with and without int8_products=True in the operator of that name.
void CheckProducts(const std::vector<int>& shape, const std::string& name, const BuildNetwork& build) {
  std::vector<std::vector<float>> outputs;
  for (const bool int8_products : {false, true}) {
    auto source = std::make_unique<pnnx::Graph>();
    AddOutput(*source, 0, build(*source, AddInput(*source, 0, shape)));
    for (pnnx::Operator* op : source->ops) {
      if (op->name == name) op->params["int8_products"] = int8_products;
    }
    RuntimeGraph graph(std::move(source));
    graph.Build();
    graph.set_input("pnnx_input_0", Numbers(Shape(shape.begin(), shape.end())));
    graph.Run();
    const NdArray found = graph.outputs().front();
    outputs.emplace_back(found.data<float>(), found.data<float>() + found.size());
    std::string method;
    for (const auto& step : graph.Profile()) method = step.name == name ? step.method : method;
    EXPECT_EQ(method == "int8", int8_products && (UsedInt8Unit() != Int8Unit::kPortable)) << method;
  }
  EXPECT_EQ(outputs[0] != outputs[1], (UsedInt8Unit() != Int8Unit::kPortable));
  for (std::size_t i = 0; i < outputs[0].size(); ++i) ASSERT_NEAR(outputs[0][i], outputs[1][i], 0.02) << i;
}

TEST(Int8AttentionTest, ProductsOfHeadsInIntegers) {
  CheckProducts({2, 40, kWidth}, "attention", [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* context = AddUnary(graph, "nn.MultiheadAttention", "attention", {x});
    pnnx::Operator* op = context->producer;
    op->params = {{"num_heads", 4}, {"embed_dim", kWidth}, {"batch_first", true}, {"out_proj", false}};
    std::vector<float> weight(3 * kWidth * kWidth);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i * 31 % 17) / 80 - 0.1F;
    op->attrs["in_proj_weight"] = pnnx::Attribute({3 * kWidth, kWidth}, weight);
    op->attrs["in_proj_bias"] = pnnx::Attribute({3 * kWidth}, std::vector<float>(3 * kWidth, 0.125F));
    return context;
  });
}

TEST(Int8AttentionTest, ScaledDotProductInIntegers) {
  CheckProducts({2, 4, 40, 16}, "attention", [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* values = AddUnary(graph, "torch.flip", "values", {x});
    values->producer->params["dims"] = std::vector<int>{2};
    return AddUnary(graph, "F.scaled_dot_product_attention", "attention", {x, x, values});
  });
}

TEST(Int8AttentionTest, WeightsThatAreWantedAreFloats) {
  const auto run = [](bool int8_products) {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* result = AddAttention(*source, {AddRounding(*source, "q", AddInput(*source, 0, {2, 6, kWidth}))});
    result->producer->params["int8_products"] = int8_products;
    AddOutput(*source, 0, AddOperand(*source, result->producer, "weights", {2, 6, 6}));
    return RunOnce(std::move(source), Numbers({2, 6, kWidth}));
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(Int8AttentionTest, NoProjectionComesWithoutItsWeight) {
  const auto build = [] {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* context = AddAttention(*source, {AddInput(*source, 0, {1, 4, kWidth})});
    context->producer->attrs["out_proj.weight"] =
        pnnx::Attribute({kWidth, kWidth}, std::vector<float>(kWidth * kWidth, 0.5F));
    AddOutput(*source, 0, context);
    RunOnce(std::move(source), NdArray(RuntimeDataType::kTypeFloat32, {1, 4, kWidth}));
  };
  const std::string text = ErrorText(ErrorCode::kArgument, build);
  EXPECT_NE(text.find("attention"), std::string::npos) << text;
  EXPECT_NE(text.find("out_proj is False, but there is an out_proj.weight"), std::string::npos) << text;
}

}  // namespace
}  // namespace kuiper_infer
