// SPDX-License-Identifier: MIT
// Users' layers inside a graph that do something wrong.
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;
using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// The behaviour of the layers of this program.
std::function<InferStatus(const Tensors&, Tensors&)> behaviour;

class UserLayer : public NonParamLayer {
 public:
  UserLayer() : NonParamLayer("UserLayer") {}
  using Layer::Forward;
  InferStatus Forward(const Tensors& inputs, Tensors& outputs) override { return behaviour(inputs, outputs); }
};

const bool kRegistered = [] {
  LayerRegistererWrapper("user_layer_test.Layer",
                         [](const std::shared_ptr<RuntimeOperator>&, std::shared_ptr<Layer>& layer) {
                           layer = std::make_shared<UserLayer>();
                           return ParseParameterAttrStatus::kParameterAttrParseSuccess;
                         });
  return true;
}();

/// Makes x -> the layer, with these recorded shapes.
std::unique_ptr<pnnx::Graph> Source(const std::vector<int>& input, const std::vector<int>& output) {
  EXPECT_TRUE(kRegistered);
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* y = AddUnary(*source, "user_layer_test.Layer", "mine", {AddInput(*source, 0, input)});
  y->shape = output;
  AddOutput(*source, 0, y);
  return source;
}

NdArray Zeros(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::fill_n(array.data<float>(), array.size(), 0.0F);
  return array;
}

/// Lets the layers give tensors of this shape for any input.
void GiveShape(const std::vector<uint32_t>& shape) {
  behaviour = [shape](const Tensors& inputs, Tensors& outputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) outputs[i] = std::make_shared<Tensor<float>>(shape);
    return InferStatus::kInferSuccess;
  };
}

TEST(UserLayerTest, ExceptionsCarryTheOperator) {
  RuntimeGraph graph(Source({1, 2, 3, 4}, {1, 2, 3, 4}));
  graph.Build();
  graph.set_input("pnnx_input_0", Zeros({1, 2, 3, 4}));
  behaviour = [](const Tensors&, Tensors&) -> InferStatus { throw std::out_of_range("no such anchor"); };
  const std::string named = "operator 'mine' (user_layer_test.Layer): its layer failed: ";
  EXPECT_EQ(ErrorText(ErrorCode::kShape, [&] { graph.Run(); }), named + "no such anchor");
  try {
    graph.Run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range);
  }
  behaviour = [](const Tensors&, Tensors&) -> InferStatus { throw std::bad_alloc(); };
  EXPECT_EQ(ErrorText(ErrorCode::kResource, [&] { graph.Run(); }), named + "there is not enough memory");
  behaviour = [](const Tensors&, Tensors&) -> InferStatus { throw Error(ErrorCode::kInput, "box 7 is empty"); };
  EXPECT_EQ(ErrorText(ErrorCode::kInput, [&] { graph.Run(); }), named + "box 7 is empty");
  GiveShape({2, 3, 4});
  graph.Run();  // the graph can run after an error
}

TEST(UserLayerTest, WhatIsNoExceptionCarriesTheOperatorToo) {
  RuntimeGraph graph(Source({1, 2, 3, 4}, {1, 2, 3, 4}));
  graph.Build();
  graph.set_input("pnnx_input_0", Zeros({1, 2, 3, 4}));
  behaviour = [](const Tensors&, Tensors&) -> InferStatus { throw 42; };
  EXPECT_EQ(ErrorText(ErrorCode::kShape, [&] { graph.Run(); }),
            "operator 'mine' (user_layer_test.Layer): its layer failed: it threw no std::exception");
}

TEST(UserLayerTest, ExceptionsOfCreatorsCarryTheOperator) {
  using Layers = std::shared_ptr<Layer>;
  LayerRegisterer::RegisterCreator("user_layer_test.Refusing",
                                   [](const std::shared_ptr<RuntimeOperator>&, Layers&) -> ParseParameterAttrStatus {
                                     throw std::out_of_range("no such anchor");
                                   });
  LayerRegisterer::RegisterCreator(
      "user_layer_test.Throwing",
      [](const std::shared_ptr<RuntimeOperator>&, Layers&) -> ParseParameterAttrStatus { throw 42; });
  const auto build = [](const std::string& type) {
    auto source = Source({1, 2, 3, 4}, {1, 2, 3, 4});
    for (pnnx::Operator* op : source->ops) {
      if (op->name == "mine") op->type = type;
    }
    RuntimeGraph(std::move(source)).Build();
  };
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { build("user_layer_test.Refusing"); }),
            "operator 'mine' (user_layer_test.Refusing): its creator failed: no such anchor");
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { build("user_layer_test.Throwing"); }),
            "operator 'mine' (user_layer_test.Throwing): its creator failed: it threw no std::exception");
}

TEST(UserLayerTest, ExceptionsCrossTheCInterfaceWithTheOperator) {
  const std::string base = testing::TempDir() + "kuiper_user_layer_" + std::to_string(getpid());
  ASSERT_EQ(Source({1, 2, 3, 4}, {1, 2, 3, 4})->save(base + ".param", base + ".bin"), 0);
  kuiper_model* model = nullptr;
  ASSERT_EQ(kuiper_load((base + ".param").c_str(), (base + ".bin").c_str(), nullptr, &model), KUIPER_OK)
      << kuiper_last_error();
  const int64_t shape[] = {1, 2, 3, 4};
  const std::vector<float> zeros(24, 0);
  const kuiper_array array = {KUIPER_FLOAT32, 4, shape, zeros.data()};
  ASSERT_EQ(kuiper_set_input(model, "pnnx_input_0", &array), KUIPER_OK);
  behaviour = [](const Tensors&, Tensors&) -> InferStatus { throw std::out_of_range("no such anchor"); };
  EXPECT_EQ(kuiper_run(model), KUIPER_ERROR_SHAPE);
  EXPECT_STREQ(kuiper_last_error(), "operator 'mine' (user_layer_test.Layer): its layer failed: no such anchor");
  kuiper_free(model);
  std::filesystem::remove(base + ".param");
  std::filesystem::remove(base + ".bin");
}

TEST(UserLayerTest, AnotherShapeThanRecordedIsAnError) {
  RuntimeGraph graph(Source({2, 2, 3, 4}, {2, 2, 3, 4}));
  graph.Build();
  graph.set_input("pnnx_input_0", Zeros({2, 2, 3, 4}));
  const auto fault = [&] { return ErrorText(ErrorCode::kShape, [&] { graph.Run(); }); };
  GiveShape({2, 4, 3});
  EXPECT_EQ(fault(),
            "operator 'mine' (user_layer_test.Layer): its layer gave an output of shape (2,2,4,3), the file "
            "records (2,2,3,4)");
  GiveShape({2, 3, 4});
  graph.Run();
  EXPECT_EQ(graph.outputs().front().shape(), (Shape{2, 2, 3, 4}));
  // Other inputs than the recorded ones have other outputs.
  graph.set_input("pnnx_input_0", Zeros({1, 2, 6, 8}));
  GiveShape({2, 6, 8});
  graph.Run();
  EXPECT_EQ(graph.outputs().front().shape(), (Shape{1, 2, 6, 8}));
}

TEST(UserLayerTest, ExtentsThatTheFileLeavesFreeAre) {
  RuntimeGraph graph(Source({1, 2, 3, 4}, {1, 2, -1, 4}));
  graph.Build();
  graph.set_input("pnnx_input_0", Zeros({1, 2, 3, 4}));
  GiveShape({2, 7, 4});
  graph.Run();
  EXPECT_EQ(graph.outputs().front().shape(), (Shape{1, 2, 7, 4}));
  GiveShape({2, 7, 5});
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { graph.Run(); }),
              HasSubstr("shape (1,2,7,5), the file records (1,2,?,4)"));
}

}  // namespace
}  // namespace kuiper_infer
