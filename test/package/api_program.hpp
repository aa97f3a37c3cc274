// SPDX-License-Identifier: MIT
#pragma once

// The body of both programs: a program in the classic interface, as users write it.
#include <gtest/gtest.h>

namespace {

using namespace kuiper_infer;  // NOLINT: like programs written for the classic interface

TEST(ApiProgram, TensorsLayersAndExpressions) {
  const sftensor tensor = std::make_shared<ftensor>(3, 2, 2);
  tensor->Fill(-1.0F);
  const auto [left, right] = TensorBroadcast(tensor, TensorCreate(1, 2, 2));
  EXPECT_EQ(left->shapes(), right->shapes());
  std::vector<sftensor> outputs(1);
  ReluLayer relu;
  EXPECT_EQ(relu.Forward({tensor}, outputs), InferStatus::kInferSuccess);
  EXPECT_EQ(outputs[0]->index(0), 0.0F);
  ExpressionParser parser("add(@0,mul(@1,@2))");
  parser.Tokenizer(false);
  EXPECT_EQ(parser.token_strs().size(), 11U);
  EXPECT_EQ(parser.Generate().size(), 5U);
}

TEST(ApiProgram, RegistryAndGraph) {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "relu";
  op->type = "nn.ReLU";
  EXPECT_NE(LayerRegisterer::CreateLayer(op), nullptr);
  EXPECT_NE(RuntimeGraph::CreateLayer(op), nullptr);
  op->params["dim"] = std::make_shared<RuntimeParameterInt>(1);
  RuntimeGraph graph("absent.param", "absent.bin");
  EXPECT_EQ(graph.graph_state(), RuntimeGraph::GraphState::NeedInit);
  EXPECT_FALSE(graph.Init());
  pnnx::Graph model;
  EXPECT_NE(model.load("absent.param", "absent.bin"), 0);
  pnnx::Operator* input = model.new_operator("pnnx.Input", "pnnx_input_0");
  EXPECT_EQ(model.ops.front(), input);
  RuntimeAttribute attribute;
  attribute.weight_data.resize(8);
  attribute.shape = {2};
  attribute.type = RuntimeDataType::kTypeFloat32;
  EXPECT_EQ(attribute.get<float>().size(), 2U);
  EXPECT_TRUE(attribute.weight_data.empty());
  StoreZipReader reader;
  EXPECT_NE(reader.open("absent.bin"), 0);
}

}  // namespace
