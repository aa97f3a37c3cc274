// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "planning/passes.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

/// A convolution applies the activation behind it, unless its own result is read elsewhere or every operand is kept.
/// The graphs are: convolution (weight 1, bias 0.5) -> relu, and the sum of both results or the second one alone.
TEST(FusionTest, ActivationsAreFusedWhereNobodyElseReads) {
  for (const bool both : {false, true}) {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* input = AddInput(*source, 0, {1, 1, 2, 3});
    pnnx::Operand* conv = AddUnary(*source, "nn.Conv2d", "conv", {input});
    conv->producer->params["kernel_size"] = std::vector<int>{1, 1};
    conv->producer->params["bias"] = true;
    conv->producer->attrs["weight"] = pnnx::Attribute({1, 1, 1, 1}, {1.0F});
    conv->producer->attrs["bias"] = pnnx::Attribute({1}, {0.5F});
    pnnx::Operand* relu = AddUnary(*source, "nn.ReLU", "relu", {conv});
    pnnx::Operand* result = relu;
    if (both) {
      result = AddUnary(*source, "pnnx.Expression", "sum", {conv, relu});
      result->producer->params["expr"] = "add(@0,@1)";
    }
    AddOutput(*source, 0, result);
    RuntimeGraph graph(std::move(source));
    graph.Build();
    const NdArray x(RuntimeDataType::kTypeFloat32, {1, 1, 2, 3});
    for (int i = 0; i < 6; ++i) x.data<float>()[i] = static_cast<float>(i) - 3;
    graph.set_input("pnnx_input_0", x);
    graph.Run();
    const NdArray found = graph.outputs().front();
    for (int i = 0; i < 6; ++i) {
      const float y = x.data<float>()[i] + 0.5F;
      EXPECT_EQ(found.data<float>()[i], std::max(y, 0.0F) + (both ? y : 0.0F)) << i << (both ? " both" : "");
    }
    // A debug run keeps all operands, including the convolution's own result.
    graph.Forward(true);
    EXPECT_EQ(graph.operand_array("conv_out").data<float>()[0], -2.5F);
  }
}

/// Expects the fused network to have `steps` steps.
void CheckJoined(const BuildNetwork& build, std::size_t steps) {
  CheckAgainstKept({1, 8, 5, 6}, build, [=](RuntimeGraph& graph, const NdArray&) {
    // Kernels for older CPUs cannot add a residual.
    if (kernel::HasProductKernels(UsedUnits())) {
      EXPECT_EQ(graph.Profile().size(), steps);
    }
  });
}

/// Adds the mean of each channel.
pnnx::Operand* AddMean(pnnx::Graph& graph, pnnx::Operand* x) {
  pnnx::Operand* mean = AddUnary(graph, "nn.AdaptiveAvgPool2d", "mean", {x});
  mean->producer->params["output_size"] = std::vector<int>{1, 1};
  mean->shape = {1, x->shape[1], 1, 1};
  return mean;
}

TEST(FusionTest, AResidualAdditionAndItsActivationAreJoined) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        pnnx::Operand* b = AddConvolution(graph, "b", a, 16, 3);
        return AddUnary(graph, "nn.ReLU", "relu", {AddExpression(graph, "sum", "add(@0,@1)", {a, b})});
      },
      2);
}

TEST(FusionTest, AnAdditionBehindAnActivationIsNotJoined) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        pnnx::Operand* b = AddUnary(graph, "nn.SiLU", "silu", {AddConvolution(graph, "b", a, 16, 3)});
        return AddExpression(graph, "sum", "add(@0,@1)", {a, b});
      },
      3);
}

TEST(FusionTest, ASecondAdditionIsNotJoined) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        pnnx::Operand* b = AddConvolution(graph, "b", a, 16, 1);
        pnnx::Operand* sum = AddExpression(graph, "sum", "add(@1,@0)", {a, b});
        return AddExpression(graph, "again", "add(@0,@1)", {sum, a});
      },
      3);
}

/// A channels-last convolution cannot add a row-major image, so the sum is a step of its own.
TEST(FusionTest, ArraysInAnotherLayoutAreAddedByThemselves) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        return AddExpression(graph, "sum", "add(@0,@1)", {AddConvolution(graph, "a", x, 8, 3), x});
      },
      2);
}

/// Squeeze and excitation in front of a convolution. A 1x1 convolution multiplies the channels itself.
TEST(FusionTest, FactorsOfChannelsAreTakenOver) {
  for (const int kernel : {1, 3}) {
    CheckJoined(
        [=](pnnx::Graph& graph, pnnx::Operand* x) {
          pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
          pnnx::Operand* product = AddExpression(graph, "product", "mul(@0,@1)", {AddMean(graph, a), a});
          product->shape = a->shape;
          pnnx::Operand* b = AddConvolution(graph, "b", product, 24, kernel);
          pnnx::Operand* c = AddConvolution(graph, "c", x, 24, 3);
          return AddUnary(graph, "nn.SiLU", "silu", {AddExpression(graph, "sum", "add(@0,@1)", {b, c})});
        },
        kernel == 1 ? 4 : 5);
  }
}

TEST(FusionTest, AProductThatIsReadTwiceStays) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        pnnx::Operand* product = AddExpression(graph, "product", "mul(@1,@0)", {AddMean(graph, a), a});
        product->shape = a->shape;
        return AddExpression(graph, "sum", "add(@0,@1)", {AddConvolution(graph, "b", product, 16, 1), product});
      },
      4);
}

TEST(FusionTest, ElementwiseOperatorsBehindEachOtherAreOneStep) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* mean = AddMean(graph, x);
        pnnx::Operand* scaled = AddExpression(graph, "scaled", "mul(@0,@1)", {x, mean});
        pnnx::Operand* silu = AddUnary(graph, "nn.SiLU", "silu", {scaled});
        return AddUnary(graph, "nn.Tanh", "tanh", {AddExpression(graph, "sub", "sub(@1,div(@0,3.0))", {silu, x})});
      },
      2);
}

TEST(FusionTest, LongElementwiseChainsAreCut) {
  constexpr int kOperators = 1000;
  CheckAgainstKept(
      {1, 8, 5, 6},
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        for (int i = 0; i < kOperators; ++i) x = AddUnary(graph, "nn.Tanh", "tanh" + std::to_string(i), {x});
        return x;
      },
      [](RuntimeGraph& graph, const NdArray&) {
        EXPECT_GT(graph.Profile().size(), 1U);
        EXPECT_LT(graph.Profile().size(), kOperators / 10);
      });
}

TEST(FusionTest, ElementwiseResultsThatAreReadTwiceStay) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* silu = AddUnary(graph, "nn.SiLU", "silu", {x});
        return AddExpression(graph, "sum", "add(@0,@1)", {AddUnary(graph, "nn.Tanh", "tanh", {silu}), silu});
      },
      2);
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        return AddExpression(graph, "twice", "mul(@0,add(@0,1.0))", {AddUnary(graph, "nn.SiLU", "silu", {x})});
      },
      2);
}

TEST(FusionTest, ElementwiseResultsThatAreRepeatedStay) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* gate = AddUnary(graph, "nn.Sigmoid", "gate", {AddMean(graph, x)});
        pnnx::Operand* scaled = AddExpression(graph, "scaled", "mul(@1,@0)", {gate, x});
        scaled->shape = x->shape;
        return scaled;
      },
      3);
}

TEST(FusionTest, ASumOfAnArrayWithItself) {
  CheckJoined(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        return AddExpression(graph, "sum", "add(@0,@1)", {a, a});
      },
      2);
}

}  // namespace
}  // namespace kuiper_infer
