// SPDX-License-Identifier: MIT
// Constants that the converter stores after its own run has written into them.
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/graph_building.hpp"
#include "runtime/graph_repair.hpp"

namespace kuiper_infer {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr float kMasked = -std::numeric_limits<float>::infinity();

template <typename Model>
std::vector<std::string> WarningsOf(Model&& model) {
  return RepairGraph(model.graph);
}

pnnx::Operand* AddConstant(pnnx::Graph& graph, const std::string& name, const std::vector<int>& shape,
                           const std::vector<float>& values) {
  pnnx::Operator* op = graph.new_operator("pnnx.Attribute", name);
  op->attrs["data"] = pnnx::Attribute(shape, values);
  return AddOperand(graph, op, name + "_out", shape);
}

/// A graph of one operator that writes into a constant of shape (4). If `by_data`, the input says where.
struct Written {
  explicit Written(const std::string& type, const std::vector<float>& values, const std::string& name = "pnnx_fold_1",
                   bool by_data = true) {
    pnnx::Operand* x = AddInput(graph, 0, {4});
    pnnx::Operand* constant = AddConstant(graph, name, {4}, values);
    pnnx::Operand* index = by_data ? x : AddConstant(graph, "positions", {4}, {0, 1, 2, 3});
    std::vector<pnnx::Operand*> inputs = {constant, index, index, x};
    if (type == "Tensor.index_put" || type == "aten::masked_scatter") inputs = {constant, index, x};
    pnnx::Operand* result = AddUnary(graph, type, "write", inputs);
    op = result->producer;
    AddOutput(graph, 0, result);
  }

  pnnx::Graph graph;
  pnnx::Operator* op = nullptr;
};

class Writers : public testing::TestWithParam<const char*> {};

TEST_P(Writers, AConstantOfSeveralNumbersIsToldAndAFreshOneIsNot) {
  EXPECT_THAT(WarningsOf(Written(GetParam(), {0, 3, 0, 5})),
              ElementsAre(AllOf(HasSubstr("'write'"), HasSubstr(GetParam()), HasSubstr("'pnnx_fold_1'"))));
  EXPECT_THAT(WarningsOf(Written(GetParam(), {2, 2, 2, 2})), IsEmpty());
  EXPECT_THAT(WarningsOf(Written(GetParam(), {0, 3, 0, 5}, "weight")), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(WrittenConstantTest, Writers,
                         testing::Values("aten::index_add", "torch.scatter_add", "aten::scatter_reduce",
                                         "Tensor.index_put", "aten::masked_scatter", "aten::index_copy",
                                         "aten::index_fill", "aten::scatter"));

TEST(WrittenConstantTest, WhatIsWrittenToTheSamePlacesEachTimeIsRightUnlessItAddsUp) {
  const std::vector<float> values = {0, 3, 0, 5};
  EXPECT_THAT(WarningsOf(Written("aten::scatter", values, "pnnx_fold_1", false)), IsEmpty());
  EXPECT_EQ(WarningsOf(Written("aten::index_add", values, "pnnx_fold_1", false)).size(), 1U);
  Written put("Tensor.index_put", values, "pnnx_fold_1", false);
  put.op->params["accumulate"] = true;
  EXPECT_EQ(RepairGraph(put.graph).size(), 1U);
}

/// Returns the warnings for a constant (4,4) in which a mask of the shape `mask` is filled with -inf.
std::vector<std::string> WarningsOfFill(const std::vector<float>& values, const std::vector<int>& mask) {
  pnnx::Graph graph;
  pnnx::Operand* constant = AddConstant(graph, "pnnx_fold_1", {4, 4}, values);
  pnnx::Operand* filled = AddUnary(graph, "Tensor.masked_fill", "fill", {constant, AddInput(graph, 0, mask)});
  filled->producer->params["value"] = kMasked;
  AddOutput(graph, 0, filled);
  return RepairGraph(graph);
}

TEST(WrittenConstantTest, OnlyWhatAMaskCanHaveFilledIsTold) {
  const float m = kMasked;
  const std::vector<float> causal = {0, m, m, m, 0, 0, m, m, 0, 0, 0, m, 0, 0, 0, 0};
  EXPECT_THAT(WarningsOfFill(causal, {1, 4}), IsEmpty());
  EXPECT_THAT(WarningsOfFill(causal, {4}), IsEmpty());
  EXPECT_EQ(WarningsOfFill(causal, {4, 4}).size(), 1U);
  EXPECT_EQ(WarningsOfFill(causal, {-1, 4}).size(), 1U);
  const std::vector<float> causal_and_padded = {0, m, m, m, 0, 0, m, m, 0, 0, 0, m, 0, 0, 0, m};
  EXPECT_EQ(WarningsOfFill(causal_and_padded, {1, 4}).size(), 1U);
  EXPECT_THAT(WarningsOfFill(std::vector<float>(16, 0), {4, 4}), IsEmpty());
  EXPECT_EQ(WarningsOfFill(std::vector<float>(16, m), {4, 4}).size(), 1U);
}

/// Attention of `batch` sequences of `length`, with a padding mask that was filled into a constant.
struct Padded {
  Padded(int batch, int length, float other = 0) {
    pnnx::Operand* x = AddInput(graph, 0, {batch, length, 2});
    std::vector<float> values(static_cast<std::size_t>(batch * length), other);
    values.back() = kMasked;
    pnnx::Operand* constant = AddConstant(graph, "pnnx_fold_1", {batch, length}, values);
    pnnx::Operand* mask =
        AddUnary(graph, "Tensor.masked_fill", "fill", {constant, AddInput(graph, 1, {batch, length})});
    mask->producer->params["value"] = kMasked;
    pnnx::Operand* y = AddUnary(graph, "nn.MultiheadAttention", "attention", {x, mask});
    y->producer->params["batch_first"] = true;
    AddOutput(graph, 0, y);
    fill = mask;
    stored = &constant->producer->attrs.begin()->second;
  }

  bool cleared() { return RepairGraph(graph).empty() && stored->get_float32_data().back() == 0; }

  pnnx::Graph graph;
  pnnx::Operand* fill = nullptr;
  pnnx::Attribute* stored = nullptr;
};

TEST(WrittenConstantTest, ThePaddingMaskOfAttentionIsCleared) {
  EXPECT_TRUE(Padded(2, 5).cleared());
  EXPECT_FALSE(Padded(5, 5).cleared()) << "may be a mask of (queries, keys)";
  EXPECT_FALSE(Padded(2, 5, 1).cleared()) << "holds other numbers";
  Padded elsewhere(2, 5);
  AddOutput(elsewhere.graph, 1, elsewhere.fill);
  EXPECT_FALSE(elsewhere.cleared()) << "has another reader";
  EXPECT_THAT(WarningsOf(Padded(5, 5)), ElementsAre(HasSubstr("'pnnx_fold_1'")));
}

TEST(WrittenConstantTest, TheFirstStateOfARecurrentCellIsTold) {
  const auto warnings = [](const std::string& expression, bool behind_cut) {
    pnnx::Graph graph;
    pnnx::Operand* state = AddConstant(graph, "pnnx_fold_1", {2, 6}, std::vector<float>(12, 0.5F));
    pnnx::Operand* gates = AddInput(graph, 0, {2, 6});
    if (behind_cut) {
      gates = AddUnary(graph, "prim::ListUnpack", "unpack", {AddUnary(graph, "aten::unsafe_chunk", "cut", {gates})});
    }
    pnnx::Operand* sum = AddExpression(graph, "sum", expression, {state, gates});
    AddOutput(graph, 0, behind_cut ? sum : AddUnary(graph, "aten::unsafe_chunk", "cut", {sum}));
    return RepairGraph(graph);
  };
  for (const bool behind_cut : {false, true}) {
    EXPECT_THAT(warnings("add(@0,@1)", behind_cut), ElementsAre(HasSubstr("recurrent cell"))) << behind_cut;
    EXPECT_THAT(warnings("mul(@0,@1)", behind_cut), IsEmpty()) << behind_cut;
  }
}

}  // namespace
}  // namespace kuiper_infer
