// SPDX-License-Identifier: MIT
// A program in the original's newer spelling: Layer<float>, StatusCode, RuntimeOperatorUtils<float>, TensorCreate<T>.
#define KUIPER_NEWER_SPELLING
#include <gtest/gtest.h>

#include "data/tensor_util.hpp"
#include "layer/abstract/layer_factory.hpp"
#include "layer/abstract/non_param_layer.hpp"
#include "layer/abstract/param_layer.hpp"
#include "layer/details/convolution.hpp"
#include "layer/details/hardsigmoid.hpp"
#include "layer/details/matmul.hpp"
#include "layer/details/rms_norm.hpp"
#include "layer/details/softmax.hpp"
#include "parser/parse_expression.hpp"
#include "runtime/runtime_ir.hpp"
#include "tick.hpp"

namespace {

using namespace kuiper_infer;  // NOLINT: like programs of the original

class NegateLayer : public Layer<float> {
 public:
  explicit NegateLayer() : Layer("Negate") {}

  using Layer<float>::Forward;
  StatusCode Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                     std::vector<std::shared_ptr<Tensor<float>>>& outputs) override {
    if (inputs.empty()) return StatusCode::kInferInputsEmpty;
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      outputs.at(i) = TensorClone(inputs.at(i));
      outputs.at(i)->Transform([](float value) { return -value; });
    }
    return StatusCode::kSuccess;
  }

  static StatusCode CreateInstance(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer<float>>& layer) {
    if (!op) return StatusCode::kParseNullOperator;
    layer = std::make_shared<NegateLayer>();
    return StatusCode::kSuccess;
  }
};

class WeightedLayer : public ParamLayer {
 public:
  WeightedLayer() : ParamLayer("Weighted") { InitWeightParam(1, 1, 1, 2); }
  StatusCode Forward(const std::vector<sftensor>& /*inputs*/, std::vector<sftensor>& /*outputs*/) override {
    return StatusCode::kFunctionNotImplement;
  }
};

LayerRegistererWrapper kNegate(NegateLayer::CreateInstance, "newer.Negate", "newer.Minus");

std::shared_ptr<RuntimeOperator> Operator(const std::string& type) {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "operator";
  op->type = type;
  return op;
}

TEST(NewerSpelling, ALayerOfOnesOwn) {
  for (const char* type : {"newer.Negate", "newer.Minus"}) {
    const std::shared_ptr<Layer<float>> layer = LayerRegisterer::CreateLayer(Operator(type));
    const stensor<float> input = TensorCreate<float>(1, 2, 2);
    input->Fill(3.0F);
    std::vector<sftensor> outputs(1);
    const StatusCode status = layer->Forward({input}, outputs);
    ASSERT_EQ(status, StatusCode::kSuccess);
    EXPECT_EQ(outputs.front()->index(3), -3.0F);
    EXPECT_EQ(layer->Forward({}, outputs), StatusCode::kInferInputsEmpty);
  }
  std::vector<sftensor> outputs;
  EXPECT_EQ(WeightedLayer().Forward({}, outputs), StatusCode::kFunctionNotImplement);
}

TEST(NewerSpelling, Registry) {
  EXPECT_EQ(LayerRegisterer::Registry(), LayerRegisterer::Registry());
  const std::size_t before = LayerRegisterer::Registry()->size();
  LayerRegisterer::RegisterCreator("newer.Third", NegateLayer::CreateInstance);
  EXPECT_EQ(LayerRegisterer::Registry()->size(), before + 1);
  EXPECT_NE(LayerRegisterer::Registry()->find("newer.Third"), LayerRegisterer::Registry()->end());
}

TEST(NewerSpelling, OperandsOfOperators) {
  const auto op = Operator("newer.Negate");
  op->layer = std::make_shared<NegateLayer>();
  op->input_operands["input"] = std::make_shared<RuntimeOperand>();
  op->input_operands["input"]->shapes = {2, 3, 4, 5};
  RuntimeOperatorUtils<float>::InitOperatorInput({op});
  EXPECT_EQ(op->input_operands["input"]->datas.size(), 2U);
}

TEST(NewerSpelling, TensorsOfBytes) {
  const su1tensor bytes = TensorCreate<uint8_t>(3, 2, 2);
  bytes->Fill(2);
  const std::shared_ptr<u1tensor> sum = TensorElementAdd(bytes, TensorElementMultiply(bytes, bytes));
  EXPECT_EQ(sum->index(0), 6);
  const auto& [left, right] = TensorBroadcast(bytes, TensorCreate<uint8_t>({3, 1, 1}));
  EXPECT_EQ(left->shapes(), right->shapes());
  EXPECT_EQ(TensorPadding<uint8_t>(bytes, {1, 1, 1, 1}, 0)->rows(), 4U);
  EXPECT_TRUE(TensorIsSame(bytes, TensorClone(bytes)));
  EXPECT_FALSE(TensorIsSame<float>(TensorCreate<float>(2), TensorCreate<float>(3)));
}

TEST(NewerSpelling, ConcreteLayersAndExpressions) {
  TICK(layers);
  std::vector<sftensor> outputs(1);
  HardSigmoid hard_sigmoid;
  EXPECT_EQ(hard_sigmoid.Forward({TensorCreate<float>(4)}, outputs), StatusCode::kSuccess);
  EXPECT_FLOAT_EQ(outputs.front()->index(0), 0.5F);
  ConvolutionLayer convolution(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 2, 2);
  outputs = {nullptr};
  EXPECT_EQ(convolution.Forward({TensorCreate<float>(1, 4, 4)}, outputs), StatusCode::kSuccess);
  EXPECT_EQ(outputs.front()->rows(), 2U);
  LLamaMatmulLayer product(2, 4);
  product.set_weights({TensorCreate<float>(2, 4)});
  outputs = {nullptr};
  EXPECT_EQ(product.Forward({TensorCreate<float>(4)}, outputs), StatusCode::kSuccess);
  RMSNormLayer norm;
  norm.set_weights({TensorCreate<float>(4)});
  outputs = {nullptr};
  EXPECT_EQ(norm.Forward({TensorCreate<float>(4)}, outputs), StatusCode::kSuccess);
  ExpressionParser parser("mul(@0,@1)");
  parser.Tokenizer(false);
  EXPECT_EQ(parser.token_str_array().at(2), "@0");
  TOCK(layers)
}

TEST(NewerSpelling, NumbersOfTheStatuses) {
  EXPECT_EQ(static_cast<int>(StatusCode::kUnknownCode), -1);
  EXPECT_EQ(static_cast<int>(StatusCode::kInferDimMismatch), 4);
  EXPECT_EQ(static_cast<int>(StatusCode::kParseNullOperator), 8);
}

}  // namespace
