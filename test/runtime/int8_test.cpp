// SPDX-License-Identifier: MIT
// Layers in integers in whole graphs, with rounded arrays and weights stored in 8 bits. Scales are powers of two and
// numbers are small, so that float32 is exact. A run that keeps every operand uses float layers, and must give the same
// numbers.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/product/int8/kernel.hpp"
#include "runtime/int8_layers.hpp"

namespace kuiper_infer {
namespace {

pnnx::Operand* AddLayer(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int channels, int kernel) {
  return InIntegers(AddConvolution(graph, name, input, channels, kernel));
}

/// Expects the results of the float layers. If the CPU has kernels for it, expects `in_integers` steps in integers, and
/// at most `steps` steps.
void Check(const std::vector<int>& shape, int in_integers, std::size_t steps, const BuildNetwork& build) {
  CheckAgainstKept(shape, build, [=](RuntimeGraph& graph, const NdArray&) {
    if (!(UsedInt8Unit() != Int8Unit::kPortable)) return;
    EXPECT_EQ(in_integers, CountMethods(graph, "int8"));
    EXPECT_EQ(steps, graph.Profile().size());
  });
}

TEST(Int8Test, ConvolutionsOneBehindTheOther) {
  Check({1, 16, 9, 7}, 3, 4, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddLayer(graph, "first", AddRounding(graph, "q0", x), 24, 3);
    x = AddUnary(graph, "nn.ReLU", "relu", {x});
    x = AddLayer(graph, "second", AddRounding(graph, "q1", x, 0.25F, 0), 20, 1);
    x = AddRounding(graph, "q2", AddUnary(graph, "nn.Hardtanh", "clamp", {x}));
    x->producer->inputs[0]->producer->params["min_val"] = -2.0F;
    x->producer->inputs[0]->producer->params["max_val"] = 3.0F;
    return AddLayer(graph, "third", x, 16, 5);
  });
}

TEST(Int8Test, AResidualBlockAddsBytes) {
  Check({2, 16, 8, 8}, 4, 5, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q0", AddLayer(graph, "entrance", AddRounding(graph, "q", x), 16, 3));
    pnnx::Operand* inner = AddUnary(graph, "nn.ReLU", "relu", {AddLayer(graph, "first", x, 32, 1)});
    inner = AddLayer(graph, "second", AddRounding(graph, "q1", inner, 0.25F, 0), 16, 3);
    pnnx::Operand* sum = AddExpression(graph, "sum", "add(@0,@1)", {inner, x});
    sum = AddUnary(graph, "nn.ReLU", "relu_sum", {sum});
    return AddLayer(graph, "third", AddRounding(graph, "q2", sum, 0.5F, 3), 16, 3);
  });
}

/// A convolution cannot add a sum behind its activation. The product has a factor for each pixel, and a constant.
TEST(Int8Test, ElementwiseOperatorsReadAndWriteBytes) {
  Check({2, 16, 8, 8}, 3, 6, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q1", AddLayer(graph, "first", AddRounding(graph, "q0", x), 16, 3));
    pnnx::Operand* inner = AddUnary(graph, "nn.ReLU", "relu", {AddLayer(graph, "second", x, 16, 3)});
    pnnx::Operand* sum = AddRounding(graph, "q2", AddExpression(graph, "sum", "add(@0,@1)", {inner, x}), 0.5F, 40);
    pnnx::Operand* factors = AddUnary(graph, "Tensor.slice", "slice", {x});
    factors->shape = {2, 1, 8, 8};
    factors->producer->params["dim"] = 1;
    factors->producer->params["start"] = 3;
    factors->producer->params["end"] = 4;
    factors->producer->params["step"] = 1;
    pnnx::Operand* product = AddExpression(graph, "product", "sub(mul(@0,@1),0.25)", {sum, factors});
    return AddLayer(graph, "third", AddRounding(graph, "q3", product, 2.0F, 128), 16, 1);
  });
}

TEST(Int8Test, JoinedArraysOfOneGridStayBytes) {
  Check({1, 16, 6, 6}, 3, 4, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q0", x);
    pnnx::Operand* left = AddRounding(graph, "q1", AddLayer(graph, "left", x, 16, 3), 0.25F, 80);
    pnnx::Operand* right = AddRounding(graph, "q2", AddLayer(graph, "right", x, 24, 1), 0.25F, 80);
    pnnx::Operand* joined = AddUnary(graph, "torch.cat", "joined", {left, right});
    joined->shape[1] = 40;
    joined->producer->params["dim"] = 1;
    return AddLayer(graph, "last", joined, 16, 1);
  });
}

TEST(Int8Test, PoolingResizingAndMovingStayBytes) {
  Check({1, 16, 8, 8}, 4, 8, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* image = AddRounding(graph, "q1", AddLayer(graph, "first", AddRounding(graph, "q0", x), 16, 3));
    pnnx::Operand* pooled = AddUnary(graph, "nn.MaxPool2d", "pool", {image});
    pooled->shape = {1, 16, 4, 4};
    pooled->producer->params["kernel_size"] = std::vector<int>{2, 2};
    pooled->producer->params["stride"] = std::vector<int>{2, 2};
    pnnx::Operand* inner = AddRounding(graph, "q2", AddLayer(graph, "second", pooled, 24, 3));
    pnnx::Operand* resized = AddUnary(graph, "nn.Upsample", "resize", {inner});
    resized->shape = {1, 24, 8, 8};
    resized->producer->params["scale_factor"] = std::vector<float>{2, 2};
    resized->producer->params["mode"] = std::string("nearest");
    pnnx::Operand* joined = AddUnary(graph, "torch.cat", "joined", {resized, image});
    joined->shape[1] = 40;
    joined->producer->params["dim"] = 1;
    pnnx::Operand* shuffled = AddUnary(graph, "nn.ChannelShuffle", "shuffle", {joined});
    shuffled->producer->params["groups"] = 4;
    pnnx::Operand* third = AddRounding(graph, "q3", AddLayer(graph, "third", shuffled, 16, 1));
    return AddLayer(graph, "last", third, 16, 1);
  });
}

/// The kernel rounds the mean of windows, but not the mean of whole images. Sums have 16 and 64 terms, so that floats
/// divide exactly.
TEST(Int8Test, MeanPoolingReadsAndWritesBytes) {
  const std::vector<int> shape{2, 16, 8, 8};
  const auto build = [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* image = AddRounding(graph, "q1", AddLayer(graph, "first", AddRounding(graph, "q0", x), 16, 3));
    pnnx::Operand* pooled = AddUnary(graph, "nn.AvgPool2d", "pool", {image});
    pooled->shape = {2, 16, 4, 4};
    pooled->producer->params["kernel_size"] = std::vector<int>{4, 4};
    pooled->producer->params["stride"] = std::vector<int>{2, 2};
    pooled->producer->params["padding"] = std::vector<int>{1, 1};
    pnnx::Operand* second = AddLayer(graph, "second", AddRounding(graph, "q2", pooled, 0.25F, 90), 16, 3);
    pnnx::Operand* mean = AddUnary(graph, "nn.AdaptiveAvgPool2d", "mean", {image});
    mean->shape = {2, 16, 1, 1};
    mean->producer->params["output_size"] = std::vector<int>{1, 1};
    return AddExpression(graph, "scaled", "mul(@0,@1)", {second, mean});
  };
  CheckAgainstKept(shape, build, [](RuntimeGraph& graph, const NdArray&) {
    if (!(UsedInt8Unit() != Int8Unit::kPortable)) return;
    std::vector<std::string> in_bytes;
    for (const auto& step : graph.Profile()) {
      if (step.stored == RuntimeDataType::kTypeUInt8) in_bytes.push_back(step.name);
    }
    EXPECT_THAT(in_bytes, testing::UnorderedElementsAre("q0", "first", "pool"));
  });
}

TEST(Int8Test, FloatReadersGetFloats) {
  Check({1, 16, 6, 6}, 2, 4, [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddRounding(graph, "q0", x);
    pnnx::Operand* layer = AddRounding(graph, "q1", AddLayer(graph, "layer", x, 16, 3));
    pnnx::Operand* last = AddLayer(graph, "last", layer, 16, 3);
    return AddExpression(graph, "both", "mul(@0,add(@1,2.0))", {last, layer});
  });
}

TEST(Int8Test, GroupsAndStrides) {
  Check({1, 64, 9, 9}, 1, 2, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* layer = AddConvolution(graph, "layer", AddRounding(graph, "q0", x), 64, 3);
    layer->producer->params["groups"] = 2;
    layer->producer->params["stride"] = std::vector<int>{2, 2};
    layer->shape = {1, 64, 5, 5};
    layer->producer->attrs["weight"].shape[1] = 32;
    return InIntegers(layer);
  });
}

TEST(Int8Test, LinearLayers) {
  Check({5, 40}, 2, 3, [](pnnx::Graph& graph, pnnx::Operand* x) {
    const auto linear = [&](const std::string& name, pnnx::Operand* input, int outputs) {
      pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
      result->shape = {5, outputs};
      result->producer->params["bias"] = true;
      result->producer->attrs["weight"].shape = {outputs, input->shape[1]};
      return InIntegers(result);
    };
    pnnx::Operand* inner = AddUnary(graph, "nn.ReLU", "relu", {linear("first", AddRounding(graph, "q0", x), 24)});
    return linear("second", AddRounding(graph, "q1", inner, 0.25F, 0), 33);
  });
}

TEST(Int8Test, SignedBytes) {
  Check({1, 16, 5, 5}, 1, 2, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* rounded = AddRounding(graph, "q0", x, 0.125F, -5);
    return AddLayer(graph, "layer", rounded, 16, 3);
  });
}

TEST(Int8Test, GridsOfMoreThanEightBitsStayFloats) {
  Check({1, 16, 5, 5}, 0, 2, [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* rounded = AddUnary(graph, "torch.quantize_per_tensor", "q0", {x});
    rounded->producer->params["input_scale"] = 1.0F / 1024;
    rounded->producer->params["input_zero_point"] = 0;
    rounded->producer->params["dtype"] = 14;  // qint32
    return AddLayer(graph, "layer", rounded, 16, 3);
  });
}

TEST(Int8Test, WeightsInIntegersAloneAreComputedInFloats) {
  Check({1, 16, 5, 5}, 0, 1, [](pnnx::Graph& graph, pnnx::Operand* x) { return AddLayer(graph, "layer", x, 16, 3); });
}

}  // namespace
}  // namespace kuiper_infer
