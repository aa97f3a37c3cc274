// SPDX-License-Identifier: MIT
// A user's program, linked statically, that registers an operator of its own before main.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace {

using kuiper_infer::InferStatus;
using kuiper_infer::LayerRegisterer;
using kuiper_infer::ParseParameterAttrStatus;
using kuiper_infer::RuntimeGraph;
using kuiper_infer::sftensor;
using kuiper_infer::TensorCreate;

/// Adds the row number to every element.
class AddRowLayer : public kuiper_infer::NonParamLayer {
 public:
  explicit AddRowLayer(float scale) : kuiper_infer::NonParamLayer("AddRow"), scale_(scale) {}

  InferStatus Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const sftensor& input = inputs[i];
      if (outputs[i] == nullptr || outputs[i]->empty()) outputs[i] = TensorCreate(input->shapes());
      for (uint32_t c = 0; c < input->channels(); ++c) {
        for (uint32_t h = 0; h < input->rows(); ++h) {
          for (uint32_t w = 0; w < input->cols(); ++w) {
            outputs[i]->at(c, h, w) = input->at(c, h, w) + scale_ * static_cast<float>(h);
          }
        }
      }
    }
    return InferStatus::kInferSuccess;
  }

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<kuiper_infer::RuntimeOperator>& op,
                                              std::shared_ptr<kuiper_infer::Layer>& layer) {
    const auto scale = op->params.find("scale");
    if (scale == op->params.end()) return ParseParameterAttrStatus::kParameterMissingScale;
    const auto value = std::dynamic_pointer_cast<kuiper_infer::RuntimeParameterFloat>(scale->second);
    if (value == nullptr) return ParseParameterAttrStatus::kParameterMissingScale;
    layer = std::make_shared<AddRowLayer>(value->value);
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  }

 private:
  float scale_;
};

const kuiper_infer::LayerRegistererWrapper kAddRow("my.AddRow", AddRowLayer::GetInstance);

/// in -> my.AddRow -> nn.ReLU -> out.
std::unique_ptr<pnnx::Graph> Model(bool with_scale) {
  auto graph = std::make_unique<pnnx::Graph>();
  const std::vector<std::pair<std::string, std::string>> chain = {
      {"pnnx.Input", "pnnx_input_0"}, {"my.AddRow", "mine"}, {"nn.ReLU", "relu"}, {"pnnx.Output", "pnnx_output_0"}};
  pnnx::Operand* previous = nullptr;
  for (const auto& [type, name] : chain) {
    pnnx::Operator* op = graph->new_operator(type, name);
    if (previous != nullptr) {
      op->inputs.push_back(previous);
      previous->consumers.push_back(op);
    }
    if (type == "pnnx.Output") break;
    previous = graph->new_operand(name + "_out");
    previous->producer = op;
    previous->shape = {1, 2, 3, 4};
    previous->has_shape = true;
    previous->type = 1;
    op->outputs.push_back(previous);
    if (type == "my.AddRow" && with_scale) op->params["scale"] = 10.0F;
  }
  return graph;
}

TEST(CustomOperatorTest, RunsInsideAModel) {
  RuntimeGraph graph(Model(true));
  graph.Build("pnnx_input_0", "pnnx_output_0");
  for (const uint32_t batch : {1U, 3U}) {
    std::vector<sftensor> inputs;
    for (uint32_t i = 0; i < batch; ++i) {
      inputs.push_back(TensorCreate(2, 3, 4));
      inputs.back()->Fill(static_cast<float>(i) - 5.0F);
    }
    const std::vector<sftensor> outputs = graph.Forward(inputs);
    ASSERT_EQ(outputs.size(), batch);
    for (uint32_t i = 0; i < batch; ++i) {
      for (uint32_t h = 0; h < 3; ++h) {
        EXPECT_FLOAT_EQ(outputs[i]->at(1, h, 3),
                        std::max(0.0F, static_cast<float>(i) - 5.0F + 10.0F * static_cast<float>(h)));
      }
    }
  }
}

TEST(CustomOperatorTest, ARefusingCreatorIsNamed) {
  RuntimeGraph graph(Model(false));
  try {
    graph.Build();
    FAIL() << "expected an error";
  } catch (const kuiper_infer::Error& error) {
    EXPECT_NE(std::string(error.what()).find("'mine'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("my.AddRow"), std::string::npos);
  }
}

TEST(CustomOperatorTest, TheRegistryHoldsBuiltInAndOwnTypesAndRefusesDuplicates) {
  const std::vector<std::string> types = LayerRegisterer::layer_types();
  EXPECT_NE(std::find(types.begin(), types.end(), "my.AddRow"), types.end());
  EXPECT_NE(std::find(types.begin(), types.end(), "nn.Conv2d"), types.end());
  EXPECT_EQ(LayerRegisterer::Registry().size(), types.size());
  EXPECT_THROW(LayerRegisterer::RegisterCreator("my.AddRow", AddRowLayer::GetInstance), kuiper_infer::Error);
  EXPECT_THROW(LayerRegisterer::RegisterCreator("nn.Conv2d", AddRowLayer::GetInstance), kuiper_infer::Error);
  EXPECT_THROW(LayerRegisterer::RegisterCreator("my.Other", nullptr), kuiper_infer::Error);
}

/// Registers a type that exists already, prints the error of Build, and exits with code 3.
[[noreturn]] void BuildAfterADuplicate() {
  const kuiper_infer::LayerRegistererWrapper duplicate("nn.ReLU", AddRowLayer::GetInstance);
  try {
    RuntimeGraph(Model(true)).Build();
  } catch (const kuiper_infer::Error& error) {
    std::cerr << error.what() << "\n";
    std::exit(3);
  }
  std::exit(0);
}

TEST(CustomOperatorTest, ADuplicateOfAWrapperIsAnErrorOfBuild) {
  EXPECT_EXIT(BuildAfterADuplicate(), testing::ExitedWithCode(3), "nn.ReLU is registered already");
}

}  // namespace
