// SPDX-License-Identifier: MIT
#include "quantization/weights_only.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/saved_model.hpp"

namespace kuiper_infer::quantization {
namespace {

/// Makes a part of a transformer: an embedding of tokens, a linear layer, an activation, and another linear layer.
void MakeTransformerPart(pnnx::Graph& graph, int width) {
  pnnx::Operand* const tokens = AddInput(graph, 0, {1, 5});
  tokens->type = static_cast<int>(RuntimeDataType::kTypeInt64);
  pnnx::Operand* const embedded = AddUnary(graph, "nn.Embedding", "words", {tokens});
  embedded->shape = {1, 5, width};
  embedded->type = kFloat32;
  pnnx::Operator* const words = embedded->producer;
  words->params = {{"embedding_dim", width}, {"num_embeddings", 11}, {"sparse", false}};
  words->attrs["weight"] = pnnx::Attribute({11, width}, std::vector<float>(static_cast<std::size_t>(11 * width)));
  Randomise(words->attrs["weight"], kSeed, 1.0F);
  pnnx::Operand* const wide = AddUnary(graph, "nn.GELU", "gelu", {AddLinear(graph, "up", embedded, 2 * width)});
  pnnx::Operand* const narrow = AddLinear(graph, "down", wide, width);
  kuiper_infer::AddOutput(graph, 0, AddExpression(graph, "sum", "add(@0,@1)", {embedded, narrow}));
}

std::vector<float> RunOnTokens(const FloatModel& model, std::unique_ptr<pnnx::Graph> graph) {
  RuntimeGraph built = model.Build(std::move(graph));
  NdArray tokens(RuntimeDataType::kTypeInt64, {1, 5});
  for (int i = 0; i < 5; ++i) tokens.data<int64_t>()[i] = 2 * i;
  built.set_input("pnnx_input_0", tokens);
  built.Run();
  const NdArray output = built.outputs().front();
  return {output.data<float>(), output.data<float>() + output.size()};
}

double Decibels(const std::vector<float>& wanted, const std::vector<float>& found) {
  double signal = 0;
  double noise = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    signal += static_cast<double>(wanted[i] * wanted[i]);
    noise += std::pow(static_cast<double>(wanted[i] - found[i]), 2);
  }
  return 10 * std::log10(signal / noise);
}

struct Case {
  int bits;
  int64_t group;
  double least_decibels;
  double most_bytes;  ///< of a number
  bool asymmetric = false;
};

TEST(WeightsOnlyTest, FormsAreNearAndSmall) {
  pnnx::Graph source;
  MakeTransformerPart(source, 128);
  const SavedModel saved(source);
  const std::vector<float> wanted = RunOnTokens(saved.model, saved.model.Load());
  for (const Case& c : {Case{8, 0, 38, 1.1}, Case{8, 32, 41, 1.2}, Case{8, 32, 43, 1.2, true}, Case{4, 0, 15, 0.6},
                        Case{4, 32, 18, 0.7}, Case{4, 32, 19, 0.7, true}}) {
    SCOPED_TRACE(testing::Message() << c.bits << " bits, groups of " << c.group
                                    << (c.asymmetric ? ", asymmetric" : ""));
    QuantizedModel result = StoreWeights(saved.model, {c.bits, c.group, c.asymmetric});
    ASSERT_EQ(result.report.layers.size(), 3U);
    for (const LayerRow& row : result.report.layers) {
      EXPECT_EQ(row.form, (c.asymmetric ? "asymmetric int" : "int") + std::to_string(c.bits));
      EXPECT_EQ(row.reason, "");
      EXPECT_GT(*row.decibels, c.least_decibels) << row.name;
      EXPECT_LT(static_cast<double>(*row.after_bytes), static_cast<double>(*row.before_bytes) / 4 * c.most_bytes);
    }
    EXPECT_GT(Decibels(wanted, RunOnTokens(saved.model, std::move(result.graph))), c.least_decibels - 3);
  }
}

TEST(WeightsOnlyTest, NumbersFarFromZeroWantAMinimum) {
  pnnx::Graph source;
  MakeTransformerPart(source, 64);
  for (pnnx::Operator* op : source.ops) {
    if (op->attrs.count("weight") == 0) continue;
    std::vector<float> values = op->attrs["weight"].get_float32_data();
    for (float& value : values) value = 3 + std::abs(value);
    op->attrs["weight"].set_float32_data(values);
  }
  const SavedModel saved(source);
  const auto least_decibels = [&](bool asymmetric) {
    double least = 1000;
    for (const LayerRow& row : StoreWeights(saved.model, {4, 32, asymmetric}).report.layers) {
      least = std::min(least, *row.decibels);
    }
    return least;
  };
  EXPECT_GT(least_decibels(true), least_decibels(false) + 8);
}

TEST(WeightsOnlyTest, AFormatThatNobodyHasIsAnError) {
  pnnx::Graph source;
  MakeTransformerPart(source, 64);
  const SavedModel saved(source);
  try {
    StoreWeights(saved.model, {5, 32, true});
    FAIL() << "there is no format of five bits";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no format stores weights as asymmetric int5");
  }
}

/// Lets the operator read its weight as an input as well, as the converter does for shared weights.
void RepeatWeight(pnnx::Graph& graph, const std::string& name) {
  pnnx::Operator* const op =
      *std::find_if(graph.ops.begin(), graph.ops.end(), [&](const auto* each) { return each->name == name; });
  pnnx::Operator* const constant = graph.new_operator_before("pnnx.Attribute", "shared", op);
  const pnnx::Attribute& weight = op->attrs.at("weight");
  constant->attrs["data"] = weight;
  pnnx::Operand* const repeated = AddOperand(graph, constant, "shared_out", weight.shape);
  op->inputs.insert(op->inputs.begin(), repeated);
  repeated->consumers.push_back(op);
}

TEST(WeightsOnlyTest, RepeatedWeightsAreStoredOnce) {
  std::vector<float> results[2];
  std::size_t operators[2];
  for (const int repeats : {0, 1}) {
    pnnx::Graph source;
    MakeTransformerPart(source, 128);
    if (repeats == 1) RepeatWeight(source, "up");
    const SavedModel saved(source);
    QuantizedModel result = StoreWeights(saved.model, {4, 32});
    operators[repeats] = result.graph->ops.size();
    results[repeats] = RunOnTokens(saved.model, std::move(result.graph));
  }
  EXPECT_EQ(operators[0], operators[1]);
  EXPECT_EQ(results[0], results[1]);
}

TEST(WeightsOnlyTest, RowsThatDoNotDivideSaySo) {
  pnnx::Graph source;
  MakeTransformerPart(source, 40);
  const SavedModel saved(source);
  const QuantizedModel result = StoreWeights(saved.model, {4, 32});
  EXPECT_EQ(result.report.layers[0].reason, "one group a row: 32 doesn't divide 40");
  EXPECT_EQ(result.report.layers[0].form, "int4");
  EXPECT_EQ(result.graph->ops[1]->attrs.at("weight.q_group_scales").shape, (std::vector<int>{11, 1}));
  EXPECT_EQ(result.graph->ops[1]->attrs.at("weight").shape, (std::vector<int>{11, 20}));
}

TEST(WeightsOnlyTest, OddRowsStayInFourBits) {
  pnnx::Graph source;
  MakeTransformerPart(source, 9);
  const SavedModel saved(source);
  const QuantizedModel four = StoreWeights(saved.model, {4, 0});
  EXPECT_EQ(four.report.layers[0].form, "float");
  EXPECT_EQ(four.report.layers[0].reason, "rows of 9 numbers, not an even number");
  EXPECT_EQ(four.report.layers[2].form, "int4") << "18 numbers";
  EXPECT_EQ(StoreWeights(saved.model, {8, 0}).report.layers[0].form, "int8");
}

TEST(WeightsOnlyTest, AModelWithoutSuchWeightsIsAnError) {
  pnnx::Graph source;
  kuiper_infer::AddOutput(source, 0, AddUnary(source, "nn.ReLU", "relu", {AddInput(source, 0, {1, 4})}));
  const SavedModel saved(source);
  EXPECT_THROW(StoreWeights(saved.model, {8, 0}), Error);
}

}  // namespace
}  // namespace kuiper_infer::quantization
