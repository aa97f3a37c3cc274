// SPDX-License-Identifier: MIT
// Packed weights are not kept twice, and the original values can still be read.
#include "operation/weights/weight.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

constexpr int kChannels = 32;

/// Adds a linear layer over the last axis, with distinct weights.
pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int features) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
  const int depth = input->shape.back();
  std::vector<float> numbers(static_cast<std::size_t>(features * depth));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 17) / 16 - 0.5F;
  result->shape.back() = features;
  result->producer->params["bias"] = false;
  result->producer->attrs["weight"] = pnnx::Attribute({features, depth}, numbers);
  return result;
}

/// Returns a graph with a 1x1 convolution ("point"), a 5x5 one ("wide") and a linear layer over columns ("rows").
RuntimeGraph MakeGraph() {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, kChannels, -1, 24});
  pnnx::Operand* point = AddConvolution(*source, "point", input, kChannels + 3, 1);
  pnnx::Operand* wide = AddConvolution(*source, "wide", point, kChannels, 5);
  AddOutput(*source, 0, AddLinear(*source, "rows", AddUnary(*source, "F.relu", "relu", {wide}), 7));
  return RuntimeGraph(std::move(source));
}

RuntimeAttribute& WeightOf(const RuntimeGraph& graph, const std::string& name) {
  for (const auto& op : graph.operators()) {
    if (op->name == name) return *op->attribute.at("weight");
  }
  throw std::out_of_range(name);
}

NdArray RunRows(RuntimeGraph& graph, int64_t rows) {
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, kChannels, rows, 24});
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
  graph.set_input("pnnx_input_0", x);
  graph.Run();
  return graph.outputs().front();
}

std::vector<float> Numbers(const NdArray& array) { return {array.data<float>(), array.data<float>() + array.size()}; }

const char* const kPacked[] = {"point", "wide", "rows"};

class WeightTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kernel::HasProductKernels(UsedUnits()))
      GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
    graph_.Init();
    for (const char* name : kPacked) originals_.push_back(WeightOf(graph_, name).get<float>(false));
    graph_.Build();
    result_ = Numbers(RunRows(graph_, 40));
  }

  RuntimeGraph graph_ = MakeGraph();
  std::vector<std::vector<float>> originals_;
  std::vector<float> result_;
};

TEST_F(WeightTest, PackedFormsReplaceTheFilesOrder) {
  for (std::size_t i = 0; i < originals_.size(); ++i) {
    SCOPED_TRACE(kPacked[i]);
    RuntimeAttribute& attribute = WeightOf(graph_, kPacked[i]);
    EXPECT_TRUE(attribute.weight_data.empty());
    ASSERT_NE(attribute.weight, nullptr);
    EXPECT_FALSE(attribute.weight->holds_values());
    EXPECT_EQ(originals_[i], attribute.get<float>()) << "brought back into their order";
    EXPECT_EQ(originals_[i], attribute.get<float>()) << "taken over weights can't be cleared";
  }
}

TEST_F(WeightTest, OtherShapesFindTheirWeights) {
  RuntimeGraph fresh = MakeGraph();
  fresh.Build();
  for (const int64_t rows : {9, 3, 64, 1, 40}) {
    SCOPED_TRACE(rows);
    EXPECT_EQ(Numbers(RunRows(fresh, rows)), Numbers(RunRows(graph_, rows)));
  }
  EXPECT_EQ(result_, Numbers(RunRows(graph_, 40)));
}

TEST_F(WeightTest, EveryOperandKeptGivesTheSame) {
  graph_.Forward(true);
  const std::vector<float> kept = Numbers(graph_.outputs().front());
  ASSERT_EQ(result_.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_NEAR(result_[i], kept[i], 1e-4) << i;
}

TEST_F(WeightTest, APartOfABuiltGraphSharesThem) {
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, kChannels, 40, 24});
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
  auto part = graph_.Subgraph({"in0"}, {"rows_out"});
  graph_ = MakeGraph();  // the graph is released first
  part->Build();
  part->set_input(part->input_names().front(), x);
  part->Run();
  EXPECT_EQ(result_, Numbers(part->outputs().front()));
}

TEST(WeightLifetimeTest, WhoHoldsTheValuesKeepsThem) {
  const NdArray values(RuntimeDataType::kTypeFloat32, {2});
  std::fill_n(values.data<float>(), 2, 1.0F);
  Weight weight(values);
  const NdArray held = weight.values();
  EXPECT_EQ(held.raw(), values.raw());
  int restored = 0;
  weight.ReplaceBy([&restored] {
    ++restored;
    return NdArray(RuntimeDataType::kTypeFloat32, {2});
  });
  EXPECT_FALSE(weight.holds_values());
  EXPECT_EQ(1.0F, held.data<float>()[1]);
  weight.ReplaceBy([] { return NdArray(); });  // no effect: the first replacement stays
  EXPECT_EQ(Shape{2}, weight.values().shape());
  EXPECT_EQ(1, restored);
}

}  // namespace
}  // namespace kuiper_infer
