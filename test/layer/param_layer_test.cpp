// SPDX-License-Identifier: MIT
// A user's layer with weights: y = weight[0] * x + bias[0], element by element.
#include "kuiper_infer/layer/abstract/param_layer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

class AffineLayer : public ParamLayer {
 public:
  AffineLayer() : ParamLayer("Affine") {}

  InferStatus Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = TensorElementMultiply(weights_.front(), inputs[i]);
      outputs[i] = TensorElementAdd(outputs[i], bias_.front());
    }
    return InferStatus::kInferSuccess;
  }

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    auto affine = std::make_shared<AffineLayer>();
    const auto shape = op->attribute.at("weight")->shape;
    affine->InitWeightParam(1, shape[0], shape[1], shape[2]);
    affine->InitBiasParam(1, shape[0], shape[1], shape[2]);
    affine->set_weights(op->attribute.at("weight")->get<float>());
    affine->set_bias(op->attribute.at("bias")->get<float>());
    layer = affine;
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  }
};

const LayerRegistererWrapper kAffine("my.Affine", AffineLayer::GetInstance);

TEST(ParamLayerTest, ItsWeightsComeFromTheModel) {
  auto model = std::make_unique<pnnx::Graph>();
  pnnx::Operand* output = AddUnary(*model, "my.Affine", "affine", {AddInput(*model, 0, {1, 1, 2, 3})});
  output->producer->attrs["weight"] = pnnx::Attribute({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  output->producer->attrs["bias"] = pnnx::Attribute({1, 2, 3}, {10, 20, 30, 40, 50, 60});
  AddOutput(*model, 0, output);
  RuntimeGraph graph(std::move(model));
  graph.Build();
  const sftensor input = TensorCreate(1, 2, 3);
  input->Fill(2.0F);
  const sftensor result = graph.Forward({input}).front();
  EXPECT_EQ(result->values(true), (std::vector<float>{12, 24, 36, 48, 60, 72}));
}

TEST(ParamLayerTest, StartsFromZerosOfTheGivenShape) {
  AffineLayer layer;
  EXPECT_TRUE(layer.weights().empty());
  layer.InitWeightParam(2, 1, 2, 3);
  layer.InitBiasParam(1, 4, 1, 1);
  ASSERT_EQ(layer.weights().size(), 2U);
  EXPECT_EQ(layer.weights()[1]->values(true), std::vector<float>(6, 0.0F));
  EXPECT_EQ(layer.bias().front()->shapes(), (std::vector<uint32_t>{4, 1, 1}));
}

TEST(ParamLayerTest, AFlatListFillsTheTensorsInTurn) {
  AffineLayer layer;
  layer.InitWeightParam(2, 1, 1, 2);
  layer.set_weights(std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(layer.weights()[0]->values(true), (std::vector<float>{1, 2}));
  EXPECT_EQ(layer.weights()[1]->values(true), (std::vector<float>{3, 4}));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { layer.set_weights(std::vector<float>(5)); }),
              HasSubstr("layer Affine: 5 values given, expected 4"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { layer.set_bias(std::vector<float>(1)); }), HasSubstr("expected 0"));
}

TEST(ParamLayerTest, TensorsAreTakenWhereTheyFit) {
  AffineLayer layer;
  layer.InitBiasParam(1, 1, 2, 3);
  const std::vector<sftensor> fitting{TensorCreate(1, 2, 3)};
  layer.set_bias(fitting);
  EXPECT_EQ(layer.bias(), fitting);
  const auto refused = [&](const std::vector<sftensor>& tensors) {
    return ErrorText(ErrorCode::kShape, [&] { layer.set_bias(tensors); });
  };
  EXPECT_THAT(refused({TensorCreate(1, 3, 2)}), HasSubstr("tensor 0 has shape (1,3,2), expected (1,2,3)"));
  EXPECT_THAT(refused({nullptr}), HasSubstr("tensor 0 has shape null, expected (1,2,3)"));
  EXPECT_THAT(refused({}), HasSubstr("0 tensors given, expected 1"));
  EXPECT_EQ(layer.bias(), fitting);
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { layer.set_weights(std::vector<sftensor>{nullptr}); }),
              HasSubstr("expected a tensor"));
}

}  // namespace
}  // namespace kuiper_infer
