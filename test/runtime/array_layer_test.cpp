// SPDX-License-Identifier: MIT
// Users' operators on arrays: planned ahead, of any type, with several outputs.
#include "kuiper_infer/layer/abstract/array_layer.hpp"

#include <functional>
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;
using Specs = std::vector<TensorSpec>;
using Arrays = std::vector<NdArray>;

/// The behaviour of the layers of this program.
std::function<Specs(const Specs&)> infer;
std::function<void(const Arrays&, const Arrays&)> compute;

class TestLayer : public ArrayLayer {
 public:
  TestLayer() : ArrayLayer("array_layer_test.Layer") {}
  Specs InferOutputs(const Specs& inputs) const override { return infer(inputs); }
  void Compute(const Arrays& inputs, const Arrays& outputs) const override { compute(inputs, outputs); }
};

const LayerRegistererWrapper kRegister("array_layer_test.Layer", [](const std::shared_ptr<RuntimeOperator>& /*op*/,
                                                                    std::shared_ptr<Layer>& layer) {
  layer = std::make_shared<TestLayer>();
  return ParseParameterAttrStatus::kParameterAttrParseSuccess;
});

/// Lets the layers give sums along the last axis, and the numbers of their terms as int64.
void BeSumAndCount() {
  infer = [](const Specs& inputs) {
    Shape shape = inputs.at(0).shape;
    shape.back() = 1;
    return Specs{TensorSpec(RuntimeDataType::kTypeFloat32, shape), TensorSpec(RuntimeDataType::kTypeInt64, {})};
  };
  compute = [](const Arrays& inputs, const Arrays& outputs) {
    const int64_t width = inputs.at(0).shape().back();
    for (int64_t row = 0; row < outputs.at(0).size(); ++row) {
      const float* first = inputs.at(0).data<float>() + row * width;
      outputs.at(0).data<float>()[row] = std::accumulate(first, first + width, 0.0F);
    }
    *outputs.at(1).data<int64_t>() = width;
  };
}

/// Makes input -> permutation -> the layer -> doubling of its first output.
RuntimeGraph MakeGraph() {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* permuted = AddUnary(*source, "Tensor.permute", "turn", {AddInput(*source, 0, {2, 3, 4})});
  permuted->producer->params["dims"] = std::vector<int>{0, 2, 1};
  permuted->shape = {2, 4, 3};
  pnnx::Operand* sums = AddUnary(*source, "array_layer_test.Layer", "mine", {permuted});
  sums->shape = {2, 4, 1};
  pnnx::Operand* count = AddOperand(*source, sums->producer, "count", {});
  constexpr int kInt64 = 5;
  count->type = kInt64;
  AddOutput(*source, 0, AddExpression(*source, "double", "mul(@0,2.0)", {sums}));
  AddOutput(*source, 1, count);
  return RuntimeGraph(std::move(source));
}

NdArray Numbers(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::iota(array.data<float>(), array.data<float>() + array.size(), 0.0F);
  return array;
}

TEST(ArrayLayerTest, IsPlannedAheadAndReadsRowMajorArrays) {
  BeSumAndCount();
  RuntimeGraph graph = MakeGraph();
  graph.Build();
  ASSERT_EQ(graph.output_specs("pnnx_output_0").size(), 1);
  EXPECT_EQ(SpecString(graph.output_specs("pnnx_output_0").front()), "float32 (2,4,1)");
  EXPECT_EQ(SpecString(graph.output_specs("pnnx_output_1").front()), "int64 ()");
  for (const int64_t batch : {2, 5}) {  // the recorded batch, and another one
    graph.set_input("pnnx_input_0", Numbers({batch, 3, 4}));
    graph.Run();
    const Arrays outputs = graph.outputs();
    ASSERT_EQ(outputs.at(0).shape(), (Shape{batch, 4, 1}));
    for (int64_t i = 0; i < outputs[0].size(); ++i) {
      const auto first = static_cast<float>(i / 4 * 12 + i % 4);
      EXPECT_EQ(outputs[0].data<float>()[i], 2 * (3 * first + 12)) << i;
    }
    EXPECT_EQ(*outputs.at(1).data<int64_t>(), 3);
  }
}

TEST(ArrayLayerTest, RunsBehindShapesThatOnlyARunTells) {
  BeSumAndCount();
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {6});
  pnnx::Operand* mask = AddExpression(*source, "mask", "gt(@0,2.0)", {x});
  constexpr int kBool = 9;
  mask->type = kBool;
  pnnx::Operand* chosen = AddUnary(*source, "torch.masked_select", "choose", {x, mask});
  chosen->shape = {-1};
  pnnx::Operand* sum = AddUnary(*source, "array_layer_test.Layer", "mine", {chosen});
  sum->shape = {1};
  AddOperand(*source, sum->producer, "count", {});
  AddOutput(*source, 0, sum);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  graph.set_input("pnnx_input_0", Numbers({6}));
  graph.Run();
  EXPECT_EQ(*graph.outputs().at(0).data<float>(), 3 + 4 + 5);
}

TEST(ArrayLayerTest, FaultsNameTheOperator) {
  const std::string named = "operator 'mine' (array_layer_test.Layer): its layer ";
  const auto build = [] {
    RuntimeGraph graph = MakeGraph();
    graph.Build();
  };
  infer = [](const Specs& inputs) { return Specs{inputs.at(0)}; };
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, build), named + "announces 1 outputs, the file lists 2");
  infer = [](const Specs& inputs) { return Specs{inputs.at(0), TensorSpec()}; };
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, build), named + "announces an output without element type");
  infer = [](const Specs& inputs) {
    TensorSpec negative = inputs.at(0);
    negative.shape.front() = -3;
    return Specs{negative, negative};
  };
  EXPECT_THAT(ErrorText(ErrorCode::kShape, build), HasSubstr(named + "failed: "));
  infer = [](const Specs&) -> Specs { throw std::out_of_range("no such axis"); };
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, build), named + "failed: no such axis");

  BeSumAndCount();
  RuntimeGraph graph = MakeGraph();
  graph.Build();
  graph.set_input("pnnx_input_0", Numbers({2, 3, 4}));
  compute = [](const Arrays&, const Arrays&) { throw std::out_of_range("no such anchor"); };
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { graph.Run(); }), named + "failed: no such anchor");
  try {
    graph.Run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range);
  }
  BeSumAndCount();
  graph.Run();  // the graph can run after an error
}

}  // namespace
}  // namespace kuiper_infer
