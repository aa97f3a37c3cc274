// SPDX-License-Identifier: MIT
// Weights in integers that are operators of their own. Scales are powers of two, so that float32 is exact.
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "operation/binder.hpp"
#include "operation/weights/quantized_weight.hpp"
#include "runtime/graph_building.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

constexpr int kRows = 400;  // 80,000 bytes, more than is read before Build
constexpr int kWidth = 200;

/// The numbers of the weight of AddIntegers.
std::vector<float> Numbers() {
  std::vector<float> numbers;
  for (int i = 0; i < kRows * kWidth; ++i) numbers.push_back(static_cast<float>(i * 7 % 31 - 15) * 0.25F);
  return numbers;
}

pnnx::Operand* AddIntegers(pnnx::Graph& graph) {
  pnnx::Operator* const op = graph.new_operator("pnnx.Attribute", "shared");
  pnnx::Attribute& data = op->attrs["data"];
  data.type = 7;
  data.shape = {kRows, kWidth};
  for (int i = 0; i < kRows * kWidth; ++i) data.data.push_back(static_cast<char>(i * 7 % 31 - 15));
  op->attrs["data.q_per_channel_scales"] = pnnx::Attribute({kRows}, std::vector<float>(kRows, 0.25F));
  return AddOperand(graph, op, "weight", {kRows, kWidth});
}

pnnx::Operand* AddLinear(pnnx::Graph& graph, pnnx::Operand* x, pnnx::Operand* weight) {
  pnnx::Operand* const result = AddUnary(graph, "F.linear", "linear", {x, weight});
  result->producer->inputnames = {"input", "weight"};
  result->shape.back() = kRows;
  return result;
}

std::vector<float> Product(const NdArray& x) {
  const std::vector<float> numbers = Numbers();
  std::vector<float> sums;
  for (int64_t i = 0; i < x.shape()[0]; ++i) {
    for (int row = 0; row < kRows; ++row) {
      float sum = 0;
      for (int k = 0; k < kWidth; ++k) sum += x.data<float>()[i * kWidth + k] * numbers[row * kWidth + k];
      sums.push_back(sum);
    }
  }
  return sums;
}

NdArray SmallIntegers() {
  const NdArray x(RuntimeDataType::kTypeFloat32, {2, kWidth});
  for (int i = 0; i < 2 * kWidth; ++i) x.data<float>()[i] = static_cast<float>(i % 5 - 2);
  return x;
}

TEST(QuantizedWeightsTest, EachReaderHoldsTheIntegers) {
  pnnx::Graph graph;
  pnnx::Operand* const weight = AddIntegers(graph);
  pnnx::Operand* const rows = AddUnary(graph, "aten::embedding", "words", {weight, AddInput(graph, 1, {3})});
  AddOutput(graph, 0, AddLinear(graph, AddInput(graph, 0, {2, kWidth}), weight));
  AddOutput(graph, 1, rows);
  DealOutQuantizedWeights(graph);
  EXPECT_EQ(graph.operands.size(), 4U) << "two inputs, two results";
  for (const pnnx::Operator* op : graph.ops) {
    EXPECT_NE(op->type, "pnnx.Attribute");
    if (op->name != "words" && op->name != "linear") continue;
    SCOPED_TRACE(op->name);
    EXPECT_EQ(op->inputs.size(), 1U);
    ASSERT_EQ(op->attrs.size(), 2U);
    EXPECT_EQ(op->attrs.at("weight").data.size(), std::size_t{kRows * kWidth});
    EXPECT_EQ(op->attrs.at("weight.q_per_channel_scales").shape, std::vector<int>{kRows});
  }
}

TEST(QuantizedWeightsTest, OtherReadersGetTheNumbers) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const weight = AddIntegers(*source);
  AddOutput(*source, 0, AddLinear(*source, AddInput(*source, 0, {2, kWidth}), weight));
  AddOutput(*source, 1, AddExpression(*source, "same", "mul(@0,1.0)", {weight}));
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray x = SmallIntegers();
  graph.set_input("pnnx_input_0", x);
  graph.Run();
  const std::vector<NdArray> results = graph.outputs();
  const auto numbers = [](const NdArray& array) {
    return std::vector<float>(array.data<float>(), array.data<float>() + array.size());
  };
  EXPECT_EQ(numbers(results[0]), Product(x));
  EXPECT_EQ(numbers(results[1]), Numbers());
}

TEST(QuantizedWeightsTest, ReadersOfALazyFileShareItsBytes) {
  const std::string stem = testing::TempDir() + "quantized_weights_" + std::to_string(getpid());
  {
    pnnx::Graph source;
    pnnx::Operand* const weight = AddIntegers(source);
    AddOutput(source, 0, AddLinear(source, AddInput(source, 0, {2, kWidth}), weight));
    AddOutput(source, 1, AddUnary(source, "F.relu", "relu", {weight}));
    pnnx::Operand* const indices = AddInput(source, 1, {3});
    indices->type = 5;
    pnnx::Operand* const rows = AddUnary(source, "aten::embedding", "words", {weight, indices});
    rows->shape = {3, kWidth};
    AddOutput(source, 2, rows);
    ASSERT_EQ(source.save(stem + ".param", stem + ".bin"), 0) << source.error();
  }
  RuntimeGraph graph(stem + ".param", stem + ".bin");
  graph.Build();
  const NdArray x = SmallIntegers();
  const NdArray indices(RuntimeDataType::kTypeInt64, {3});
  for (int i = 0; i < 3; ++i) indices.data<int64_t>()[i] = 5 - 2 * i;
  graph.set_input("pnnx_input_0", x);
  graph.set_input("pnnx_input_1", indices);
  graph.Run();
  const NdArray product = graph.outputs().front();
  EXPECT_EQ(std::vector<float>(product.data<float>(), product.data<float>() + product.size()), Product(x));
  const NdArray rows = graph.outputs().back();
  for (int i = 0; i < 3 * kWidth; ++i) {
    EXPECT_EQ(rows.data<float>()[i], Numbers()[static_cast<std::size_t>((5 - i / kWidth * 2) * kWidth + i % kWidth)]);
  }
  const auto reader = [&](const char* type) {
    const auto of_type = [&](const auto& op) { return op->type == type; };
    return *std::find_if(graph.operators().begin(), graph.operators().end(), of_type);
  };
  EXPECT_EQ(reader("F.linear")->attribute.at("weight")->weight,
            reader("aten::embedding")->attribute.at("weight")->weight);
  EXPECT_TRUE(reader("aten::embedding")->call->attributes.at("weight")->quantized()->parameters->holds_values())
      << "all plans read them in place";
  for (const char* type : {"F.linear", "aten::embedding"}) {
    const std::vector<int8_t> integers = reader(type)->attribute.at("weight")->get<int8_t>(false);
    for (int i = 0; i < kRows * kWidth; ++i) EXPECT_EQ(integers[i], i * 7 % 31 - 15) << type << " " << i;
    EXPECT_EQ(reader(type)->attribute.at("weight.q_per_channel_scales")->get<float>(false),
              std::vector<float>(kRows, 0.25F));
  }
  std::remove((stem + ".param").c_str());
  std::remove((stem + ".bin").c_str());
}

TEST(QuantizedWeightsTest, AFaultOfTheParametersNamesTheReader) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const weight = AddIntegers(*source);
  weight->producer->attrs["data.q_per_channel_scales"] = pnnx::Attribute({2}, std::vector<float>(2, 0.25F));
  AddOutput(*source, 0, AddLinear(*source, AddInput(*source, 0, {2, kWidth}), weight));
  RuntimeGraph graph(std::move(source));
  try {
    graph.Build();
    FAIL() << "two scales do not fit 400 rows";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'linear'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("weight.q_per_channel_scales"));
  }
}

}  // namespace
}  // namespace kuiper_infer
