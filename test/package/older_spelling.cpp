// SPDX-License-Identifier: MIT
// A program in the original's older spelling: Layer, InferStatus, ParseParameterAttrStatus, RuntimeOperatorUtils.
#include <gtest/gtest.h>

#include "data/tensor_util.hpp"
#include "layer/abstract/layer_factory.hpp"
#include "layer/abstract/param_layer.hpp"
#include "layer/details/convolution.hpp"
#include "layer/details/hardsigmoid.hpp"
#include "layer/details/softmax.hpp"
#include "parser/parse_expression.hpp"
#include "runtime/runtime_ir.hpp"

namespace {

using namespace kuiper_infer;  // NOLINT: like programs of the original

class DoubleLayer : public Layer {
 public:
  explicit DoubleLayer() : Layer("Double") {}

  using Layer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override {
    CHECK_EQ(inputs.size(), outputs.size());
    for (uint32_t i = 0; i < inputs.size(); ++i) outputs.at(i) = TensorElementAdd(inputs.at(i), inputs.at(i));
    return InferStatus::kInferSuccess;
  }
};

ParseParameterAttrStatus CreateDouble(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer>& layer) {
  if (op->input_operands.empty()) return ParseParameterAttrStatus::kParameterMissingUnknown;
  layer = std::make_shared<DoubleLayer>();
  return ParseParameterAttrStatus::kParameterAttrParseSuccess;
}

LayerRegistererWrapper kDouble("older.Double", CreateDouble);

std::shared_ptr<RuntimeOperator> DoubleOperator() {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "double";
  op->type = "older.Double";
  op->input_operands["input"] = std::make_shared<RuntimeOperand>();
  op->input_operands["input"]->shapes = {2, 3, 4, 5};
  return op;
}

TEST(OlderSpelling, ALayerOfOnesOwn) {
  const std::shared_ptr<Layer> layer = LayerRegisterer::CreateLayer(DoubleOperator());
  EXPECT_EQ(layer->layer_name(), "Double");
  const sftensor input = TensorCreate(1, 2, 2);
  input->Fill(3.0F);
  std::vector<sftensor> outputs(1);
  const InferStatus status = layer->Forward({input}, outputs);
  ASSERT_EQ(status, InferStatus::kInferSuccess);
  EXPECT_EQ(outputs.front()->index(3), 6.0F);
  LOG(INFO) << "status " << static_cast<int>(status);
}

TEST(OlderSpelling, Registry) {
  const LayerRegisterer::CreateRegistry& registry = LayerRegisterer::Registry();
  EXPECT_EQ(registry.count("older.Double"), 1U);
  const LayerRegisterer::CreateRegistry copy = LayerRegisterer::Registry();
  EXPECT_EQ(copy, registry);
  const LayerRegisterer::Creator creator = registry.at("older.Double");
  std::shared_ptr<Layer> layer;
  EXPECT_EQ(creator(std::make_shared<RuntimeOperator>(), layer), ParseParameterAttrStatus::kParameterMissingUnknown);
}

TEST(OlderSpelling, OperandsAndWeights) {
  const auto op = DoubleOperator();
  RuntimeOperatorUtils::InitOperatorInput({op});
  EXPECT_EQ(op->input_operands["input"]->datas.size(), 2U);
  ParamLayer weighted("weighted");
  weighted.InitWeightParam(1, 1, 1, 2);
  weighted.set_weights(std::vector<float>{1, 2});
  EXPECT_EQ(weighted.weights().front()->index(1), 2.0F);
}

TEST(OlderSpelling, ConcreteLayersAndExpressions) {
  const sftensor scores = TensorCreate(4);
  std::vector<sftensor> outputs(1);
  SoftmaxLayer softmax(0);
  EXPECT_EQ(softmax.Forward({scores}, outputs), InferStatus::kInferSuccess);
  EXPECT_FLOAT_EQ(outputs.front()->index(0), 0.25F);
  std::vector<sftensor> none;
  EXPECT_EQ(softmax.Forward({scores}, none), InferStatus::kInferFailedOutputEmpty);
  HardSigmoidLayer hard_sigmoid;
  EXPECT_EQ(hard_sigmoid.Forward({TensorCreate(4)}, outputs), InferStatus::kInferSuccess);
  EXPECT_FLOAT_EQ(outputs.front()->index(0), 0.5F);
  ConvolutionLayer convolution(1, 1, 2, 2, 0, 0, 1, 1, 1, false);
  EXPECT_EQ(convolution.weights().size(), 0U);
  ExpressionParser parser("mul(@0,@1)");
  parser.Tokenizer(false);
  EXPECT_EQ(parser.token_strs().size(), 6U);
}

TEST(OlderSpelling, NumbersOfTheStatuses) {
  EXPECT_EQ(static_cast<int>(InferStatus::kInferUnknown), -1);
  EXPECT_EQ(static_cast<int>(InferStatus::kInferFailedOutputEmpty), 11);
  EXPECT_EQ(static_cast<int>(ParseParameterAttrStatus::kParameterMissingScale), 14);
  EXPECT_EQ(static_cast<int>(ParseParameterAttrStatus::kAttrMissingOutFeatures), 25);
}

}  // namespace
