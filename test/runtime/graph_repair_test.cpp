// SPDX-License-Identifier: MIT
// Repairs that are made while a file's graph becomes operators.
#include "runtime/graph_repair.hpp"

#include <map>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

/// Returns two convolutions of 2 channels. The second one also has `weight` and its own bias as inputs: the converter
/// writes a shared module in this way.
std::unique_ptr<pnnx::Graph> SharedModule(bool repeats) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 2, 4, 4});
  pnnx::Operand* first = AddConvolution(*source, "first", x, 2, 3);
  pnnx::Attribute weight = first->producer->attrs.at("weight");
  if (!repeats) weight.data.back() ^= 1;
  const auto constant = [&](const std::string& name, const pnnx::Attribute& values) {
    pnnx::Operator* op = source->new_operator("pnnx.Attribute", name);
    op->attrs["data"] = values;
    return AddOperand(*source, op, name + "_out", values.shape);
  };
  pnnx::Operand* given_weight = constant("given_weight", weight);
  pnnx::Operand* given_bias = constant("given_bias", first->producer->attrs.at("bias"));
  pnnx::Operand* second = AddConvolution(*source, "second", first, 2, 3);
  pnnx::Operator* op = second->producer;
  op->inputs.clear();
  first->consumers.clear();
  Use(op, {given_weight, given_bias, first});
  AddOutput(*source, 0, second);
  return source;
}

TEST(GraphRepairTest, WeightsThatAreGivenTwiceCountOnce) {
  auto plain = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*plain, 0, {1, 2, 4, 4});
  NdArray input(RuntimeDataType::kTypeFloat32, {1, 2, 4, 4});
  for (int i = 0; i < 32; ++i) input.data<float>()[i] = static_cast<float>(i % 5);
  x = AddConvolution(*plain, "second", AddConvolution(*plain, "first", x, 2, 3), 2, 3);
  AddOutput(*plain, 0, x);
  EXPECT_EQ(RunOnce(SharedModule(true), input), RunOnce(std::move(plain), input));
}

TEST(GraphRepairTest, OtherInputsInFrontAreTooMany) {
  RuntimeGraph graph(SharedModule(false));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }),
              testing::AllOf(testing::HasSubstr("'second'"), testing::HasSubstr("3 inputs are more")));
}

/// Returns two selects on an array of shape (3,4,5) along the dimensions `dims`; the file records `recorded` for the
/// result.
std::unique_ptr<pnnx::Graph> TwoSelects(std::vector<int> dims, std::vector<int> recorded) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {3, 4, 5});
  pnnx::Operand* part = AddUnary(*source, "Tensor.slice", "part", {x});
  part->shape = std::move(recorded);
  std::map<std::string, pnnx::Parameter>& params = part->producer->params;
  params["dims"] = std::move(dims);
  for (const char* unused : {"starts", "ends", "steps"}) params[unused] = std::vector<int>{0, 0};
  params["selects"] = std::vector<int>{1, 2};
  AddOutput(*source, 0, part);
  return source;
}

/// Returns the elements that a graph of two selects gives for an array of 0, 1, 2, ...
std::vector<float> Selected(std::vector<int> dims, std::vector<int> recorded) {
  NdArray input(RuntimeDataType::kTypeFloat32, {3, 4, 5});
  for (int i = 0; i < 60; ++i) input.data<float>()[i] = static_cast<float>(i);
  return RunOnce(TwoSelects(std::move(dims), std::move(recorded)), input);
}

// x[1, :, 2], x[1, 2] and x[:, 1, 2] as the present converter writes them: a dimension counts the axes dropped before.
// And x[1, 2] as older converters write it: a dimension does not count them.
TEST(GraphRepairTest, RecordedShapesTellWhichAxesAreSelected) {
  EXPECT_EQ(Selected({0, 0}, {4}), (std::vector<float>{22, 27, 32, 37}));
  EXPECT_EQ(Selected({0, 1}, {5}), (std::vector<float>{30, 31, 32, 33, 34}));
  EXPECT_EQ(Selected({1, 0}, {3}), (std::vector<float>{7, 27, 47}));
  EXPECT_EQ(Selected({0, 0}, {5}), (std::vector<float>{30, 31, 32, 33, 34}));
}

TEST(GraphRepairTest, AxesThatDoNotGiveTheRecordedShapeAreAnError) {
  EXPECT_THAT(ErrorText(ErrorCode::kGraph,
                        [] {
                          Selected({0, 0}, {7});
                        }),
              testing::AllOf(testing::HasSubstr("'part' (Tensor.slice)"), testing::HasSubstr("dims=(0,0)"),
                             testing::HasSubstr("(3,4,5)"), testing::HasSubstr("recorded shape (7)")));
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [] { Selected({0, 3}, {5}); }), testing::HasSubstr("dims=(0,3)"));
}

TEST(GraphRepairTest, AxesThatDoNotExistAreAnErrorWithoutRecordedShapes) {
  std::unique_ptr<pnnx::Graph> source = TwoSelects({0, 3}, {});
  source->get_operand("part_out")->has_shape = false;
  RuntimeGraph graph(std::move(source));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }),
              testing::AllOf(testing::HasSubstr("'dims' holds 3 at entry 1"), testing::HasSubstr("expected -1 to 2")));
}

TEST(GraphRepairTest, IndicesWithElementsMissingAreAnError) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {5, 4});
  pnnx::Operand* chosen = AddUnary(*source, "Tensor.index", "chosen", {x});
  chosen->producer->params["expr"] = "[None,[2,1]]";  // of ((2, 1), (0, 3))
  chosen->shape = {5, 2, 2};
  AddOutput(*source, 0, chosen);
  RuntimeGraph graph(std::move(source));
  EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { graph.Build(); }),
              testing::AllOf(testing::HasSubstr("'chosen' (Tensor.index)"), testing::HasSubstr("expr=[None,[2,1]]"),
                             testing::HasSubstr("(2)"), testing::HasSubstr("(2,2)")));
}

/// The result of x[index] * 1, for an x whose elements are 0, 1, 2, ..., and the warnings.
struct Indexed {
  NdArray result;
  std::vector<std::string> warnings;
};

Indexed Index(const std::string& index, const std::vector<int>& input, std::vector<int> recorded) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* chosen = AddUnary(*source, "Tensor.index", "chosen", {AddInput(*source, 0, input)});
  chosen->producer->params["expr"] = index;
  chosen->shape = std::move(recorded);
  AddOutput(*source, 0, chosen);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  NdArray x(RuntimeDataType::kTypeFloat32, Shape(input.begin(), input.end()));
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i);
  graph.set_input(graph.input_names().front(), x);
  graph.Run();
  return {graph.outputs().front(), graph.report().warnings};
}

std::vector<float> Elements(const NdArray& array) { return {array.data<float>(), array.data<float>() + array.size()}; }

TEST(GraphRepairTest, FirstElementOfAWholeAxisIsARange) {
  const Indexed pair = Index("[[0,1],[0]]", {2, 4}, {2, 1, 1, 4});
  EXPECT_EQ(pair.result.shape(), (Shape{2, 1, 1, 4}));
  EXPECT_EQ(Elements(pair.result), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THAT(pair.warnings, testing::ElementsAre(testing::AllOf(
                                 testing::HasSubstr("'chosen' (Tensor.index)"), testing::HasSubstr("expr=[[0,1],[0]]"),
                                 testing::HasSubstr("index 1 = arange(4)"), testing::HasSubstr("(2,1,1,4)"))));
  // The indices of rows are given, in another order, and the range lies along the second axis.
  const Indexed two = Index("[[1,0],[0]]", {2, 3}, {2, 3, 1});
  EXPECT_EQ(two.result.shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(Elements(two.result), (std::vector<float>{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(two.warnings.size(), 1U);
}

TEST(GraphRepairTest, SingleElementsAreRepeatedWithAWarning) {
  const Indexed indexed = Index("[[0],[0]]", {1, 4}, {1, 1, 1, 4});
  EXPECT_EQ(Elements(indexed.result), (std::vector<float>{0}));
  ASSERT_EQ(indexed.warnings.size(), 2U);
  EXPECT_THAT(indexed.warnings[0],
              testing::AllOf(testing::HasSubstr("'chosen' (Tensor.index)"), testing::HasSubstr("element 0 is repeated"),
                             testing::HasSubstr("index 1 = arange(4) is meant"), testing::HasSubstr("inputs2")));
  EXPECT_THAT(indexed.warnings[1], testing::HasSubstr("has shape (1), the file records (1,1,1,4)"));
}

TEST(GraphRepairTest, IndicesThatMayBeNoRangeAreAnError) {
  const auto expect_error = [](const std::string& index, const std::vector<int>& input,
                               const std::vector<int>& recorded) {
    EXPECT_THAT(ErrorText(ErrorCode::kGraph, [&] { Index(index, input, recorded); }),
                testing::HasSubstr("the converter left elements out"))
        << index;
  };
  expect_error("[[0,1],[1]]", {2, 4}, {2, 1, 1, 4});              // begins elsewhere
  expect_error("[[0,1],[0]]", {2, 5}, {2, 1, 1, 4});              // not the whole axis
  expect_error("[[0,1],[0],[0]]", {2, 4, 4}, {2, 1, 1, 4});       // along either axis of the input
  expect_error("[[0,1],[0]]", {2, 4}, {2, 1, 4, 4});              // one range cannot lie along two axes
  expect_error("[[0,1],[0]]", {2, 4}, {3, 1, 1, 4});              // nothing has the first extent
  expect_error("[[0,1],[0]]", {2, 1 << 20}, {2, 1, 1, 1 << 20});  // too long
}

TEST(GraphRepairTest, AttentionWhoseResultIsUsedStays) {
  const auto outputs = [](std::vector<int> recorded) {
    pnnx::Graph graph;
    pnnx::Operand* result = AddUnary(graph, "nn.MultiheadAttention", "attention", {AddInput(graph, 0, {2, 5, 8})});
    result->shape = std::move(recorded);
    result->producer->params["batch_first"] = true;
    result->producer->params["num_heads"] = 2;
    RepairGraph(graph);
    return result->producer->outputs.size();
  };
  EXPECT_EQ(outputs({2, 5, 8}), 1U);
  EXPECT_EQ(outputs({2, -1, 8}), 1U);
  EXPECT_EQ(outputs({-1, -1, 8}), 1U);
  EXPECT_EQ(outputs({2, 5, 5}), 2U);
  EXPECT_EQ(outputs({2, 2, 5, 5}), 2U);
}

/// Returns a recurrent network of input size and hidden size 4 whose inputs and outputs have these shapes. The first
/// input is a parameter of the model.
std::unique_ptr<pnnx::Graph> Recurrent(const std::string& type, const std::vector<std::vector<int>>& inputs,
                                       std::vector<int> output) {
  auto source = std::make_unique<pnnx::Graph>();
  std::vector<pnnx::Operand*> operands;
  for (const std::vector<int>& shape : inputs) {
    if (operands.empty()) {
      operands.push_back(AddOperand(*source, source->new_operator("pnnx.Attribute", "state"), "state_out", shape));
    } else {
      operands.push_back(AddInput(*source, static_cast<int>(operands.size()) - 1, shape));
    }
  }
  pnnx::Operand* result = AddUnary(*source, type, "net", operands);
  result->shape = std::move(output);
  for (const char* size : {"input_size", "hidden_size"}) result->producer->params[size] = 4;
  AddOutput(*source, 0, result);
  return source;
}

TEST(GraphRepairTest, StatesWhosePlaceIsLostAreAnError) {
  const auto text = [](std::unique_ptr<pnnx::Graph> source) {
    RuntimeGraph graph(std::move(source));
    return ErrorText(ErrorCode::kGraph, [&] { graph.Build(); });
  };
  // One state is a parameter, the other an input. Either may be the hidden state.
  EXPECT_THAT(text(Recurrent("nn.LSTM", {{1, 2, 4}, {5, 2, 4}, {1, 2, 4}}, {5, 2, 4})),
              testing::AllOf(testing::HasSubstr("'net' (nn.LSTM)"), testing::HasSubstr("which of the inputs"),
                             testing::HasSubstr("2 orders")));
  // A sequence of one step has the shape of the state.
  EXPECT_THAT(text(Recurrent("nn.GRU", {{1, 2, 4}, {1, 2, 4}}, {1, 2, 4})),
              testing::HasSubstr("which of the inputs are the initial states"));
  EXPECT_THAT(text(Recurrent("nn.LSTM", {{5, 2, 4}}, {1, 2, 4})),
              testing::HasSubstr("whether its output is the last hidden state or the last cell state"));
}

}  // namespace
}  // namespace kuiper_infer
