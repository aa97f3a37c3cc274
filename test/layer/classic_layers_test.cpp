// SPDX-License-Identifier: MIT
// Layers that programs construct themselves, and the creators of layers.
#include <cmath>

#include <gtest/gtest.h>

#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/layer/details/adaptive_avgpooling.hpp"
#include "kuiper_infer/layer/details/batchnorm2d.hpp"
#include "kuiper_infer/layer/details/cat.hpp"
#include "kuiper_infer/layer/details/convolution.hpp"
#include "kuiper_infer/layer/details/deconvolution.hpp"
#include "kuiper_infer/layer/details/expression.hpp"
#include "kuiper_infer/layer/details/flatten.hpp"
#include "kuiper_infer/layer/details/hardsigmoid.hpp"
#include "kuiper_infer/layer/details/hardswish.hpp"
#include "kuiper_infer/layer/details/linear.hpp"
#include "kuiper_infer/layer/details/matmul.hpp"
#include "kuiper_infer/layer/details/maxpooling.hpp"
#include "kuiper_infer/layer/details/relu.hpp"
#include "kuiper_infer/layer/details/relu6.hpp"
#include "kuiper_infer/layer/details/rms_norm.hpp"
#include "kuiper_infer/layer/details/sigmoid.hpp"
#include "kuiper_infer/layer/details/silu.hpp"
#include "kuiper_infer/layer/details/softmax.hpp"
#include "kuiper_infer/layer/details/upsample.hpp"
#include "kuiper_infer/layer/details/view.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<sftensor>;

sftensor Counting(uint32_t channels, uint32_t rows, uint32_t cols, float first = 0, float step = 1) {
  const sftensor tensor = TensorCreate(channels, rows, cols);
  std::vector<float> values(tensor->size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + step * static_cast<float>(i);
  tensor->Fill(values);
  return tensor;
}

Tensors Compute(Layer& layer, const Tensors& inputs, std::size_t outputs) {
  Tensors results(outputs);
  EXPECT_EQ(layer.Forward(inputs, results), InferStatus::kInferSuccess);
  return results;
}

template <class LayerType>
void ExpectElementwise(float (*expected)(float)) {
  LayerType layer;
  const sftensor input = Counting(2, 3, 4, -6.0F, 0.5F);
  const Tensors outputs = Compute(layer, {input, TensorClone(input)}, 2);
  ASSERT_EQ(outputs[1]->shapes(), input->shapes());
  for (std::size_t i = 0; i < input->size(); ++i) EXPECT_NEAR(outputs[1]->index(i), expected(input->index(i)), 1e-6F);
}

TEST(ClassicLayersTest, Activations) {
  ExpectElementwise<ReluLayer>([](float x) { return std::max(x, 0.0F); });
  ExpectElementwise<Relu6Layer>([](float x) { return std::min(std::max(x, 0.0F), 6.0F); });
  ExpectElementwise<SigmoidLayer>([](float x) { return 1 / (1 + std::exp(-x)); });
  ExpectElementwise<SiLULayer>([](float x) { return x / (1 + std::exp(-x)); });
  ExpectElementwise<HardSigmoidLayer>([](float x) { return std::min(std::max(x + 3, 0.0F), 6.0F) / 6; });
  ExpectElementwise<HardSwishLayer>([](float x) { return x * std::min(std::max(x + 3, 0.0F), 6.0F) / 6; });
}

TEST(ClassicLayersTest, FaultyCallsGiveTheirStatus) {
  ReluLayer relu;
  Tensors none;
  Tensors one(1);
  EXPECT_EQ(relu.Forward({}, one), InferStatus::kInferFailedInputEmpty);
  EXPECT_EQ(relu.Forward({TensorCreate(1, 2, 2)}, none), InferStatus::kInferFailedOutputEmpty);
  EXPECT_EQ(relu.Forward({TensorCreate(1, 2, 2), TensorCreate(1, 2, 2)}, one),
            InferStatus::kInferFailedInputOutSizeMatchError);
  EXPECT_EQ(relu.Forward({nullptr}, one), InferStatus::kInferFailedInputEmpty);
  Tensors wrong = {TensorCreate(1, 3, 3)};
  EXPECT_NE(relu.Forward({TensorCreate(1, 2, 2)}, wrong), InferStatus::kInferSuccess);
  EXPECT_NE(Layer("bare").Forward({TensorCreate(1, 2, 2)}, one), InferStatus::kInferSuccess);
  EXPECT_THROW(Layer("bare").weights(), Error);
}

TEST(ClassicLayersTest, GivenOutputTensorsAreFilled) {
  ReluLayer relu;
  const sftensor output = TensorCreate(1, 2, 2);
  Tensors outputs = {output};
  EXPECT_EQ(relu.Forward({Counting(1, 2, 2, 1)}, outputs), InferStatus::kInferSuccess);
  EXPECT_EQ(outputs[0], output);
  EXPECT_EQ(output->values(), (std::vector<float>{1, 2, 3, 4}));
}

TEST(ClassicLayersTest, SoftmaxCountsTheAxesOfOneElement) {
  const sftensor scores = TensorCreate(3);
  scores->Fill({0, 1, 2});
  SoftmaxLayer over_scores(0);
  const float sum = std::exp(0.0F) + std::exp(1.0F) + std::exp(2.0F);
  for (const sftensor& output : Compute(over_scores, {scores, TensorClone(scores)}, 2)) {
    for (uint32_t i = 0; i < 3; ++i) EXPECT_NEAR(output->index(i), std::exp(static_cast<float>(i)) / sum, 1e-6F);
  }
  const sftensor image = Counting(3, 2, 2);
  const float channels = std::exp(0.0F) + std::exp(4.0F) + std::exp(8.0F);
  EXPECT_NEAR(Compute(over_scores, {image}, 1)[0]->at(2, 0, 0), std::exp(8.0F) / channels, 1e-6F);
  const float columns = 1 / (1 + std::exp(-1.0F));
  for (const int32_t dim : {2, -1}) {
    SoftmaxLayer over_columns(dim);
    EXPECT_NEAR(Compute(over_columns, {image}, 1)[0]->at(1, 1, 1), columns, 1e-6F) << dim;
  }
  // These are no axes of an element. For a vector, -2 would be the batch's axis.
  for (const int32_t dim : {1, -2, INT32_MAX, INT32_MIN}) {
    SoftmaxLayer layer(dim);
    Tensors outputs(1);
    EXPECT_EQ(layer.Forward({std::make_shared<ftensor>()}, outputs), InferStatus::kInferFailedInputEmpty) << dim;
    EXPECT_EQ(layer.Forward({scores}, outputs), InferStatus::kInferFailedDimensionParameterError) << dim;
  }
}

TEST(ClassicLayersTest, SoftmaxOfAnOperatorCountsTheBatchAsAxis0) {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "softmax";
  op->params["dim"] = std::make_shared<RuntimeParameterInt>(1);
  std::shared_ptr<Layer> layer;
  ASSERT_EQ(SoftmaxLayer::GetInstance(op, layer), ParseParameterAttrStatus::kParameterAttrParseSuccess);
  const float sum = std::exp(0.0F) + std::exp(4.0F) + std::exp(8.0F);
  EXPECT_NEAR(Compute(*layer, {Counting(3, 2, 2)}, 1)[0]->at(2, 0, 0), std::exp(8.0F) / sum, 1e-6F);
}

TEST(ClassicLayersTest, ExpressionTakesItsOperandsOneAfterTheOther) {
  ExpressionLayer layer("add(@0,mul(@1,@2))");
  const auto filled = [](float value) {
    const sftensor tensor = TensorCreate(2, 3, 4);
    tensor->Fill(value);
    return tensor;
  };
  const Tensors outputs = Compute(layer, {filled(1), filled(2), filled(3), filled(4), filled(5), filled(6)}, 2);
  EXPECT_FLOAT_EQ(outputs[0]->index(0), 1 + 3 * 5);
  EXPECT_FLOAT_EQ(outputs[1]->index(5), 2 + 4 * 6);
  EXPECT_THROW(ExpressionLayer("add(@0,"), Error);
}

TEST(ClassicLayersTest, ConvolutionWithGroupsStrideAndPadding) {
  ConvolutionLayer layer(2, 4, 3, 3, 1, 1, 2, 2, 2);
  const sftensor kernel = TensorCreate(2, 3, 3);
  kernel->Ones();
  const sftensor twice = TensorClone(kernel);
  twice->Fill(2.0F);
  layer.set_weights({kernel, twice});
  layer.set_bias(std::vector<float>{0.5F, -0.5F});
  const sftensor input = TensorCreate(4, 4, 4);
  input->Ones();
  const sftensor output = Compute(layer, {input}, 1)[0];
  EXPECT_EQ(output->shapes(), (std::vector<uint32_t>{2, 2, 2}));
  EXPECT_FLOAT_EQ(output->at(0, 0, 0), 2 * 4 + 0.5F);
  EXPECT_FLOAT_EQ(output->at(1, 1, 1), 2 * 2 * 9 - 0.5F);
  EXPECT_EQ(layer.weights().size(), 2U);
  EXPECT_THROW(layer.set_weights({kernel}), Error);
  EXPECT_THROW(ConvolutionLayer(2, 4, 3, 3, 1, 1, 2, 2, 3), Error);
  Tensors outputs(1);
  EXPECT_NE(layer.Forward({TensorCreate(3, 4, 4)}, outputs), InferStatus::kInferSuccess);
}

TEST(ClassicLayersTest, ConvolutionsTakeTheirDilation) {
  const sftensor kernel = TensorCreate(1, 2, 2);
  kernel->Fill({1, 10, 100, 1000});
  // 0*1 + 2*10 + 6*100 + 8*1000 of the 3 x 3 image 0 1 2 / 3 4 5 / 6 7 8.
  ConvolutionLayer after_bias(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 2, 2);
  after_bias.set_weights({kernel});
  EXPECT_EQ(Compute(after_bias, {Counting(1, 3, 3)}, 1)[0]->values(), (std::vector<float>{8620}));
  ConvolutionLayer last(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 0, 0, 2, 1);
  last.set_weights({kernel});
  EXPECT_EQ(Compute(last, {Counting(1, 3, 3)}, 1)[0]->values(), (std::vector<float>{7610, 8721}));
  EXPECT_THROW(ConvolutionLayer(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 1, 0, 2, 1), Error);
  ConvolutionLayer without(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 0, 0);
  Tensors outputs(1);
  EXPECT_NE(without.Forward({Counting(1, 3, 3)}, outputs), InferStatus::kInferSuccess);
  DeconvolutionLayer transposed(1, 1, 2, 2, 0, 0, 1, 1, 1, false, 0, 0, 1, 2);
  transposed.set_weights({kernel});
  const sftensor one = TensorCreate(1, 1, 1);
  one->Ones();
  EXPECT_EQ(Compute(transposed, {one}, 1)[0]->values(), (std::vector<float>{1, 0, 10, 100, 0, 1000}));
}

TEST(ClassicLayersTest, MatrixProductReadsRowMajorMemory) {
  std::vector<float> weight = {0, 1, 2, 3, 4, 5};
  std::vector<float> input = {1, 2, 3, 4, 5, 6};
  LLamaMatmulLayer layer(2, 3);
  layer.set_weights({std::make_shared<ftensor>(weight.data(), 2, 3)});
  const Tensors product = Compute(layer, {std::make_shared<ftensor>(input.data(), 3, 2)}, 1);
  EXPECT_EQ(product[0]->values(), (std::vector<float>{13, 16, 40, 52}));
  EXPECT_EQ(Compute(layer, {std::make_shared<ftensor>(input.data(), 3)}, 1)[0]->values(), (std::vector<float>{8, 26}));
  EXPECT_EQ(Compute(layer, {std::make_shared<ftensor>(input.data(), 3, 1)}, 1)[0]->raw_shapes(),
            (std::vector<uint32_t>{2, 1}));
  LLamaMatmulLayer one_column(2, 1);
  one_column.set_weights(std::vector<float>{2, 3});
  EXPECT_EQ(Compute(one_column, {std::make_shared<ftensor>(input.data(), 1, 3)}, 1)[0]->values(),
            (std::vector<float>{2, 4, 6, 3, 6, 9}));
}

TEST(ClassicLayersTest, MatrixProductRefusesWhatDoesNotFit) {
  EXPECT_THROW(LLamaMatmulLayer(0, 3), Error);
  LLamaMatmulLayer layer(2, 3);
  Tensors outputs(1);
  const sftensor input = TensorCreate(3, 2);
  EXPECT_EQ(layer.Forward({input}, outputs), InferStatus::kInferFailedWeightParameterError);
  EXPECT_THROW(layer.set_weights({TensorCreate(3, 3)}), Error);
  EXPECT_THROW(layer.set_weights(std::vector<float>(5)), Error);
  layer.set_weights(std::vector<float>(6));
  EXPECT_EQ(layer.Forward({}, outputs), InferStatus::kInferFailedInputEmpty);
  EXPECT_EQ(layer.Forward({input, input}, outputs), InferStatus::kInferFailedInputOutSizeMatchError);
  EXPECT_EQ(layer.Forward({nullptr}, outputs), InferStatus::kInferFailedInputEmpty);
  EXPECT_EQ(layer.Forward({TensorCreate(4, 2)}, outputs), InferStatus::kInferFailedShapeParameterError);
  EXPECT_EQ(layer.Forward({TensorCreate(2, 3, 2)}, outputs), InferStatus::kInferFailedShapeParameterError);
  Tensors wrong = {TensorCreate(2, 3)};
  EXPECT_EQ(layer.Forward({input}, wrong), InferStatus::kInferFailedOutputSizeError);
}

TEST(ClassicLayersTest, RootMeanSquaresNormalise) {
  std::vector<float> weight = {1, 2, -1, 0.5F};
  std::vector<float> input = {1, -2, 3, -4};
  const float factor = 1 / std::sqrt(30.0F / 4 + 1e-5F);
  RMSNormLayer layer;
  layer.set_weights({std::make_shared<ftensor>(weight.data(), 4)});
  const sftensor x = std::make_shared<ftensor>(input.data(), 4);
  const Tensors outputs = Compute(layer, {x, TensorClone(x)}, 2);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(outputs[0]->index(i), weight[i] * input[i] * factor);
    EXPECT_EQ(outputs[1]->index(i), outputs[0]->index(i));
  }
  Tensors itself = {x};
  EXPECT_EQ(layer.Forward({x}, itself), InferStatus::kInferSuccess);
  EXPECT_EQ(input[3], outputs[0]->index(3));
  const Tensors small = Compute(layer, {TensorCreate(4)}, 1);
  EXPECT_EQ(small[0]->values(), std::vector<float>(4));
}

TEST(ClassicLayersTest, NormalisationRefusesWhatDoesNotFit) {
  RMSNormLayer layer;
  Tensors outputs(1);
  EXPECT_EQ(layer.Forward({TensorCreate(4)}, outputs), InferStatus::kInferFailedWeightParameterError);
  EXPECT_THROW(layer.set_weights(Tensors{}), Error);
  EXPECT_THROW(layer.set_weights(Tensors{nullptr}), Error);
  EXPECT_THROW(layer.set_weights(std::vector<float>{}), Error);
  layer.set_weights(std::vector<float>(4, 1.0F));
  EXPECT_EQ(layer.Forward({}, outputs), InferStatus::kInferFailedInputEmpty);
  EXPECT_EQ(layer.Forward({nullptr}, outputs), InferStatus::kInferFailedInputEmpty);
  EXPECT_EQ(layer.Forward({TensorCreate(5)}, outputs), InferStatus::kInferFailedShapeParameterError);
  Tensors none;
  EXPECT_EQ(layer.Forward({TensorCreate(4)}, none), InferStatus::kInferFailedOutputEmpty);
  Tensors wrong = {TensorCreate(2, 2)};
  EXPECT_EQ(layer.Forward({TensorCreate(4)}, wrong), InferStatus::kInferFailedOutputSizeError);
  EXPECT_EQ(layer.Forward({TensorCreate(4), TensorCreate(4)}, outputs),
            InferStatus::kInferFailedInputOutSizeMatchError);
}

TEST(ClassicLayersTest, TransposedConvolution) {
  DeconvolutionLayer layer(1, 1, 2, 2, 0, 0, 2, 2, 1, false);
  const sftensor kernel = TensorCreate(1, 2, 2);
  kernel->Fill({1, 2, 3, 4});
  layer.set_weights({kernel});
  const sftensor output = Compute(layer, {Counting(1, 2, 2, 1)}, 1)[0];
  EXPECT_EQ(output->values(), (std::vector<float>{1, 2, 2, 4, 3, 4, 6, 8, 3, 6, 4, 8, 9, 12, 12, 16}));
}

TEST(ClassicLayersTest, PoolingAndUpsampling) {
  MaxPoolingLayer max_pool(0, 0, 2, 2, 2, 2);
  EXPECT_EQ(Compute(max_pool, {Counting(1, 4, 4)}, 1)[0]->values(), (std::vector<float>{5, 7, 13, 15}));
  AdaptiveAveragePoolingLayer average(1, 1);
  EXPECT_EQ(Compute(average, {Counting(1, 4, 4)}, 1)[0]->values(), (std::vector<float>{7.5F}));
  UpSampleLayer nearest(2.0F, 1.0F);
  EXPECT_EQ(Compute(nearest, {Counting(1, 2, 2)}, 1)[0]->values(), (std::vector<float>{0, 1, 0, 1, 2, 3, 2, 3}));
  UpSampleLayer bilinear(2.0F, 2.0F, UpSampleMode::kModeBilinear, true);
  EXPECT_NEAR(Compute(bilinear, {Counting(1, 2, 2)}, 1)[0]->at(0, 0, 1), 1.0F / 3, 1e-6F);
}

TEST(ClassicLayersTest, BatchNormTakesMeansAndVariances) {
  BatchNorm2dLayer layer(2, 0.0F, {2, 3}, {1, -1});
  layer.set_weights(std::vector<float>{1, 2});
  layer.set_bias(std::vector<float>{4, 9});
  const sftensor input = TensorCreate(2, 1, 2);
  input->Fill(5.0F);
  const sftensor output = Compute(layer, {input}, 1)[0];
  EXPECT_FLOAT_EQ(output->at(0, 0, 0), (5 - 1) / 2.0F * 2 + 1);
  EXPECT_FLOAT_EQ(output->at(1, 0, 1), (5 - 2) / 3.0F * 3 - 1);
}

TEST(ClassicLayersTest, ShapesFollowPyTorchsOrder) {
  FlattenLayer flatten(1, 3);
  EXPECT_EQ(Compute(flatten, {Counting(2, 3, 4)}, 1)[0]->values(false), Counting(1, 1, 24)->values(false));
  ViewLayer view({1, 4, -1});
  const sftensor viewed = Compute(view, {Counting(2, 3, 4)}, 1)[0];
  EXPECT_EQ(viewed->raw_shapes(), (std::vector<uint32_t>{4, 6}));
  EXPECT_FLOAT_EQ(viewed->at(0, 1, 2), 8);
  ViewLayer any_batch({-1, 4, 6});
  EXPECT_EQ(Compute(any_batch, {Counting(2, 3, 4), Counting(2, 3, 4)}, 2)[1]->raw_shapes(),
            (std::vector<uint32_t>{4, 6}));
  ViewLayer middle({1, 2, -1, 3});
  EXPECT_EQ(Compute(middle, {Counting(2, 3, 4)}, 1)[0]->raw_shapes(), (std::vector<uint32_t>{2, 4, 3}));
  CatLayer cat(1);
  const Tensors joined =
      Compute(cat, {Counting(1, 2, 2), Counting(1, 2, 2, 10), Counting(2, 2, 2, 20), Counting(2, 2, 2, 30)}, 2);
  EXPECT_EQ(joined[1]->shapes(), (std::vector<uint32_t>{3, 2, 2}));
  EXPECT_FLOAT_EQ(joined[1]->at(0, 0, 0), 10);
  EXPECT_FLOAT_EQ(joined[1]->at(1, 0, 1), 31);
}

TEST(ClassicLayersTest, Linear) {
  LinearLayer layer(3, 2, true);
  layer.set_weights(std::vector<float>{1, 2, 3, 4, 5, 6});
  layer.set_bias(std::vector<float>{0.5F, -0.5F});
  const sftensor input = TensorCreate(3);
  input->Fill({1, 1, 2});
  EXPECT_EQ(Compute(layer, {input}, 1)[0]->values(), (std::vector<float>{9.5F, 20.5F}));
  EXPECT_EQ(Compute(layer, {Counting(1, 2, 3)}, 1)[0]->raw_shapes(), (std::vector<uint32_t>{2, 2}));
}

std::shared_ptr<RuntimeOperator> ConvolutionOperator() {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "conv";
  op->type = "nn.Conv2d";
  for (const char* key : {"kernel_size", "stride", "padding", "dilation"}) {
    op->params[key] = std::make_shared<RuntimeParameterIntArray>(std::vector<int>{1, 1});
  }
  op->params["groups"] = std::make_shared<RuntimeParameterInt>(1);
  op->params["bias"] = std::make_shared<RuntimeParameterBool>(true);
  op->attribute["weight"] = std::make_shared<RuntimeAttribute>(std::vector<int>{1, 1, 1, 1},
                                                               RuntimeDataType::kTypeFloat32, std::vector<char>(4));
  op->attribute["bias"] =
      std::make_shared<RuntimeAttribute>(std::vector<int>{1}, RuntimeDataType::kTypeFloat32, std::vector<char>(4));
  return op;
}

TEST(ClassicLayersTest, CreatorsReadParametersAndNameWhatIsMissing) {
  std::shared_ptr<Layer> layer;
  EXPECT_EQ(ConvolutionLayer::GetInstance(ConvolutionOperator(), layer),
            ParseParameterAttrStatus::kParameterAttrParseSuccess);
  ASSERT_NE(layer, nullptr);
  auto op = ConvolutionOperator();
  op->attribute.erase("weight");
  EXPECT_EQ(ConvolutionLayer::GetInstance(op, layer), ParseParameterAttrStatus::kAttrMissingWeight);
  op = ConvolutionOperator();
  op->attribute.erase("bias");
  EXPECT_EQ(ConvolutionLayer::GetInstance(op, layer), ParseParameterAttrStatus::kAttrMissingBias);
  op = ConvolutionOperator();
  op->params["stride"] = std::make_shared<RuntimeParameterString>("abc");
  EXPECT_EQ(ConvolutionLayer::GetInstance(op, layer), ParseParameterAttrStatus::kParameterMissingStride);
  op = ConvolutionOperator();
  op->params["groups"] = std::make_shared<RuntimeParameterIntArray>(std::vector<int>{1, 2});
  EXPECT_EQ(ConvolutionLayer::GetInstance(op, layer), ParseParameterAttrStatus::kParameterMissingGroups);
  auto softmax = std::make_shared<RuntimeOperator>();
  softmax->name = "softmax";
  EXPECT_EQ(SoftmaxLayer::GetInstance(softmax, layer), ParseParameterAttrStatus::kParameterAttrParseSuccess);
  EXPECT_NE(ReluLayer::GetInstance(nullptr, layer), ParseParameterAttrStatus::kParameterAttrParseSuccess);
}

TEST(ClassicLayersTest, ArgumentlessForwardUsesTheOperator) {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = "relu";
  op->type = "nn.ReLU";
  auto input = std::make_shared<RuntimeOperand>();
  input->datas = {Counting(1, 2, 2, -2)};
  op->input_operands_seq = {input};
  op->output_operands = std::make_shared<RuntimeOperand>();
  op->output_operands->datas = {nullptr};
  op->output_operands_seq = {op->output_operands};
  ReluLayer layer;
  EXPECT_NE(layer.Layer::Forward(), InferStatus::kInferSuccess);
  layer.set_runtime_operator(op);
  EXPECT_EQ(layer.Layer::Forward(), InferStatus::kInferSuccess);
  EXPECT_EQ(op->output_operands->datas[0]->values(), (std::vector<float>{0, 0, 0, 1}));
}

}  // namespace
}  // namespace kuiper_infer
