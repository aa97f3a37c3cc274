// SPDX-License-Identifier: MIT
// Quantised models as PyTorch's export writes them: conversions to integers and back, around layers whose weights are
// integers. Scales are powers of two and numbers small, so that float32 is exact.
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/product/int8/kernel.hpp"
#include "runtime/int8_layers.hpp"

namespace kuiper_infer {
namespace {

constexpr char kSpace[] = "quantized_decomposed::";

void SetGrid(pnnx::Operator* op, float scale, int zero_point, int least, int most) {
  op->params["scale"] = scale;
  op->params["zero_point"] = zero_point;
  op->params["quant_min"] = least;
  op->params["quant_max"] = most;
  op->params["dtype"] = "torch.int8";
}

/// A conversion to integers and back.
pnnx::Operand* AddPair(pnnx::Graph& graph, const std::string& name, pnnx::Operand* x, float scale = 0.125F,
                       float scale_back = 0) {
  pnnx::Operand* q = AddUnary(graph, std::string(kSpace) + "quantize_per_tensor", name + "_q", {x});
  SetGrid(q->producer, scale, 5, -128, 127);
  q->type = 7;
  pnnx::Operand* back = AddUnary(graph, std::string(kSpace) + "dequantize_per_tensor", name, {q});
  SetGrid(back->producer, scale_back > 0 ? scale_back : scale, 5, -128, 127);
  return back;
}

/// A convolution whose weight another operator makes of integers.
pnnx::Operand* AddLayer(pnnx::Graph& graph, const std::string& name, pnnx::Operand* x, int channels, int kernel) {
  pnnx::Operand* result = InIntegers(AddConvolution(graph, name, x, channels, kernel));
  pnnx::Operator* op = result->producer;
  pnnx::Operator* made = graph.new_operator_before(std::string(kSpace) + "dequantize_per_channel", name + "_w", op);
  made->params["axis"] = 0;
  made->params["quant_min"] = -127;
  made->params["quant_max"] = 127;
  made->params["dtype"] = "torch.int8";
  made->attrs["input"] = op->attrs.at("weight");
  made->attrs["scales"] = op->attrs.at("weight.q_per_channel_scales");
  op->attrs.erase("weight");
  op->attrs.erase("weight.q_per_channel_scales");
  pnnx::Operand* weight = AddOperand(graph, made, name + "_weight", made->attrs.at("input").shape);
  Use(op, {weight});
  op->inputnames = {"input", "weight"};
  return result;
}

TEST(QuantizedPairsTest, LayersBetweenPairsComputeInIntegers) {
  const auto build = [](pnnx::Graph& graph, pnnx::Operand* x) {
    x = AddLayer(graph, "first", AddPair(graph, "p0", x), 24, 3);
    x = AddPair(graph, "p1", AddUnary(graph, "nn.ReLU", "relu", {x}), 0.25F);
    return AddLayer(graph, "second", x, 20, 1);
  };
  CheckAgainstKept({1, 16, 9, 7}, build, [](RuntimeGraph& graph, const NdArray&) {
    if (UsedInt8Unit() == Int8Unit::kPortable) return;
    EXPECT_EQ(2, CountMethods(graph, "int8"));
    EXPECT_EQ(3U, graph.Profile().size());  // the first rounding, two convolutions
  });
}

TEST(QuantizedPairsTest, APairOfTwoGridsStaysTwoOperators) {
  const auto build = [](pnnx::Graph& graph, pnnx::Operand* x) { return AddPair(graph, "p", x, 0.125F, 0.5F); };
  CheckAgainstKept({2, 3}, build, [](RuntimeGraph& graph, const NdArray&) {
    std::vector<std::string> types;
    for (const auto& op : graph.operators()) types.push_back(op->type);
    EXPECT_THAT(types, testing::Contains(std::string(kSpace) + "dequantize_per_tensor"));
  });
}

TEST(QuantizedPairsTest, IntegersThatAnotherOperatorReadsStay) {
  const auto build = [](pnnx::Graph& graph, pnnx::Operand* x) {
    pnnx::Operand* back = AddPair(graph, "p", x);
    pnnx::Operand* q = graph.get_operand("p_q_out");
    pnnx::Operand* wide = AddUnary(graph, "Tensor.float", "wide", {q});
    return AddExpression(graph, "sum", "add(@0,@1)", {back, wide});
  };
  CheckAgainstKept({2, 3}, build, [](RuntimeGraph& graph, const NdArray&) { EXPECT_GE(graph.Profile().size(), 2U); });
}

}  // namespace
}  // namespace kuiper_infer
