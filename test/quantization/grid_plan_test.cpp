// SPDX-License-Identifier: MIT
#include "quantization/grid_plan.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quantization/graph_edits.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer::quantization {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Grids = std::vector<std::vector<std::string>>;

class GridPlanTest : public testing::Test {
 protected:
  pnnx::Operand* Convolve(const std::string& name, pnnx::Operand* input, int channels = 4) {
    return kuiper_infer::AddConvolution(graph_, name, input, channels, 3);
  }
  pnnx::Operand* Relu(const std::string& name, pnnx::Operand* input) {
    return AddUnary(graph_, "nn.ReLU", name, {input});
  }
  pnnx::Operand* MaxPool(const std::string& name, pnnx::Operand* input) {
    pnnx::Operand* const pooled = AddUnary(graph_, "nn.MaxPool2d", name, {input});
    pooled->producer->params["kernel_size"] = std::vector<int>{2, 2};
    return pooled;
  }
  Grids GridsFor(const std::set<std::string>& layers) { return PlanGrids(graph_, layers).grids; }

  pnnx::Graph graph_;
  pnnx::Operand* const input_ = AddInput(graph_, 0, {1, 4, 8, 8});
};

TEST_F(GridPlanTest, WhatALayerReadsIsRoundedBehindTheActivation) {
  pnnx::Operand* const active = Relu("relu", Convolve("a", input_));
  Convolve("b", active);
  EXPECT_THAT(GridsFor({"a", "b"}), ElementsAre(ElementsAre("in0"), ElementsAre("relu_out")));
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(ElementsAre("relu_out")));
  EXPECT_THAT(GridsFor({}), IsEmpty());
}

TEST_F(GridPlanTest, ReadersOfOneOperandShareItsGrid) {
  Convolve("a", input_);
  Convolve("b", input_);
  const GridPlan plan = PlanGrids(graph_, {"a", "b"});
  EXPECT_THAT(plan.grids, ElementsAre(ElementsAre("in0")));
  EXPECT_EQ(plan.grid_of.at("a"), plan.grid_of.at("b"));
}

TEST_F(GridPlanTest, MovingOperatorsKeepTheGrid) {
  pnnx::Operand* const made = Convolve("a", input_);
  pnnx::Operand* at = MaxPool("pool", made);
  at = AddUnary(graph_, "F.upsample_nearest", "nearest", {at});
  at = AddHalves(graph_, "halves", at).second;
  at = AddUnary(graph_, "Tensor.permute", "permute", {at});
  Convolve("b", at);
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(ElementsAre("a_out")));
}

TEST_F(GridPlanTest, OtherOperatorsDoNot) {
  pnnx::Operand* const smooth = AddUnary(graph_, "F.interpolate", "resize", {input_});
  smooth->producer->params["mode"] = "bilinear";
  Convolve("a", smooth);
  pnnx::Operand* const indices = MaxPool("pool", input_);
  indices->producer->params["return_indices"] = true;
  Convolve("b", indices);
  pnnx::Operand* const padded = AddUnary(graph_, "F.pad", "pad", {input_});
  padded->producer->params["pad"] = std::vector<int>{1, 1};
  padded->producer->params["value"] = 1.5F;
  Convolve("c", padded);
  EXPECT_THAT(GridsFor({"a", "b", "c"}),
              UnorderedElementsAre(ElementsAre("resize_out"), ElementsAre("pool_out"), ElementsAre("pad_out")));
}

TEST_F(GridPlanTest, EverySpellingOfAMovingOperatorKeepsTheGrid) {
  pnnx::Operand* at = Convolve("a", input_);
  for (const char* type : {"aten::flatten", "torch.ravel", "Tensor.clone", "nn.Dropout3d", "aten::squeeze"}) {
    at = AddUnary(graph_, type, type, {at});
  }
  at = AddUnary(graph_, "torch.amax", "amax", {at});
  Convolve("b", at);
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(ElementsAre("a_out")));
}

TEST_F(GridPlanTest, PaddingByZerosKeepsTheGridUnderEachName) {
  pnnx::Operand* at = Convolve("a", input_);
  for (const char* type : {"F.pad", "nn.ZeroPad3d", "nn.ConstantPad2d", "nn.CircularPad2d", "aten::reflection_pad2d"}) {
    at = AddUnary(graph_, type, type, {at});
    at->producer->params["pad"] = std::vector<int>{1, 1};
  }
  Convolve("b", at);
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(ElementsAre("a_out")));
}

TEST_F(GridPlanTest, ListsOfArraysAreNotRounded) {
  pnnx::Operand* const left = Convolve("a", input_);
  pnnx::Operand* const list = AddExpression(graph_, "list", "[@0,@1]", {left, input_});
  Convolve("b", AddUnary(graph_, "aten::vstack", "stack", {list}));
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(UnorderedElementsAre("a_out", "in0")));
  pnnx::Operand* const unknown = AddUnary(graph_, "my.List", "unknown", {input_});
  Convolve("c", AddUnary(graph_, "aten::vstack", "other_stack", {unknown}));
  EXPECT_THAT(GridsFor({"c"}), ElementsAre(ElementsAre("other_stack_out")));
}

TEST_F(GridPlanTest, AnInputThatMayBeAnAxisOrAnArrayKeepsNoGrid) {
  Convolve("b", AddUnary(graph_, "aten::max", "max", {Convolve("a", input_), input_}));
  EXPECT_THAT(GridsFor({"b"}), ElementsAre(ElementsAre("max_out")));
}

TEST_F(GridPlanTest, JoinedArraysShareAGrid) {
  pnnx::Operand* const left = Relu("left", Convolve("a", input_));
  pnnx::Operand* const right = Convolve("b", input_);
  pnnx::Operand* const pooled = MaxPool("pool", right);
  pnnx::Operand* const joined = AddUnary(graph_, "torch.cat", "cat", {left, pooled, input_});
  Convolve("c", joined);
  Convolve("d", left);
  const GridPlan plan = PlanGrids(graph_, {"a", "c", "d"});
  EXPECT_THAT(plan.grids, ElementsAre(UnorderedElementsAre("in0", "left_out", "b_out")));
  EXPECT_EQ(plan.grid_of.size(), 3U);
}

TEST_F(GridPlanTest, ASumIsRoundedAndItsTermsAreAsLayersReadThem) {
  pnnx::Operand* const skip = Relu("relu", Convolve("a", input_));
  pnnx::Operand* const inner = Convolve("b", skip);
  Convolve("c", AddExpression(graph_, "sum", "add(@0,@1)", {inner, skip}));
  EXPECT_THAT(GridsFor({"a", "b", "c"}),
              ElementsAre(ElementsAre("in0"), ElementsAre("relu_out"), ElementsAre("sum_out")));
}

TEST_F(GridPlanTest, OneTermOfASumOfTwoLayersIsRounded) {
  pnnx::Operand* const left = Convolve("a", Relu("front", input_));
  pnnx::Operand* const right = Convolve("b", input_);
  pnnx::Operand* const sum = Relu("relu", AddExpression(graph_, "sum", "add(@0,@1)", {left, right}));
  Convolve("c", sum);
  EXPECT_THAT(GridsFor({"a", "b", "c"}),
              ElementsAre(ElementsAre("in0"), ElementsAre("front_out"), ElementsAre("b_out"), ElementsAre("relu_out")));
  EXPECT_THAT(GridsFor({"a", "c"}), ElementsAre(ElementsAre("front_out"), ElementsAre("relu_out")))
      << "a layer in float has no integers to store";
  EXPECT_THAT(GridsFor({"a", "b"}), ElementsAre(ElementsAre("in0"), ElementsAre("front_out")))
      << "nobody reads the sum as integers";
}

TEST_F(GridPlanTest, NoTermIsRoundedOfLayersSideBySide) {
  pnnx::Operand* const left = Convolve("a", input_);
  pnnx::Operand* const right = Convolve("b", input_);
  Convolve("c", AddExpression(graph_, "sum", "add(@0,@1)", {left, right}));
  EXPECT_THAT(GridsFor({"a", "b", "c"}), ElementsAre(ElementsAre("in0"), ElementsAre("sum_out")));
}

TEST_F(GridPlanTest, AThousandOperatorsBehindEachOtherAreFollowed) {
  pnnx::Operand* at = input_;
  for (int i = 0; i < 100000; ++i) at = AddUnary(graph_, "Tensor.view", "view" + std::to_string(i), {at});
  Convolve("a", at);
  EXPECT_THAT(GridsFor({"a"}), ElementsAre(ElementsAre("in0")));
}

TEST_F(GridPlanTest, AllReadersButOutputsReadTheRoundedOperand) {
  pnnx::Operand* const made = Convolve("a", input_);
  Convolve("b", made);
  AddExpression(graph_, "twice", "add(@0,@1)", {made, made});
  kuiper_infer::AddOutput(graph_, 0, made);
  pnnx::Operator* const rounding = InsertQuantize(graph_, made, {0.5F, 3, 0, 255});
  EXPECT_EQ(rounding->type, "nn.quantized.Quantize");
  EXPECT_EQ(rounding->inputs, std::vector<pnnx::Operand*>{made});
  const pnnx::Operand* const rounded = rounding->outputs.at(0);
  for (const pnnx::Operator* op : graph_.ops) {
    if (op->name == "b") {
      EXPECT_EQ(op->inputs.at(0), rounded);
    }
    if (op->name == "twice") {
      EXPECT_THAT(op->inputs, ElementsAre(rounded, rounded));
    }
    if (op->type == "pnnx.Output") {
      EXPECT_EQ(op->inputs.at(0), made);
    }
  }
  EXPECT_EQ(rounded->consumers.size(), 3U);
  EXPECT_EQ(made->consumers.size(), 2U);
  EXPECT_EQ(InsertQuantize(graph_, made, {0.5F, 3, 0, 255})->name, rounding->name + "_") << "names are unique";
}

TEST_F(GridPlanTest, SkipsReadTheOperandAsItIs) {
  pnnx::Operand* const made = Convolve("a", input_);
  pnnx::Operand* const left = Convolve("b", made);
  pnnx::Operand* const skip = AddUnary(graph_, "nn.BatchNorm2d", "skip", {made});
  AddExpression(graph_, "branches", "add(add(@0,@1),@2)", {left, skip, made});
  pnnx::Operand* const other = AddExpression(graph_, "product", "mul(add(@0,@1),@2)", {left, skip, made});
  InsertQuantize(graph_, made, {0.5F, 3, 0, 255});
  const auto reads = [&](const std::string& name) {
    const auto found =
        std::find_if(graph_.ops.begin(), graph_.ops.end(), [&](const pnnx::Operator* op) { return op->name == name; });
    return (*found)->inputs.back()->name;
  };
  EXPECT_EQ(reads("b"), "quantize_a_out_out");
  EXPECT_EQ(reads("skip"), "a_out");
  EXPECT_EQ(reads("branches"), "a_out");
  EXPECT_EQ(reads(other->producer->name), "quantize_a_out_out");
}

}  // namespace
}  // namespace kuiper_infer::quantization
