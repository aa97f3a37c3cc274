// SPDX-License-Identifier: MIT
// Weights that are operators of their own (pnnx.Attribute), such as an embedding that the output layer shares.
#include "quantization/constant_weights.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quantization/saved_model.hpp"
#include "quantization/weights_only.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kWords = 48;
constexpr int kWidth = 64;
constexpr int kTokens = 5;

pnnx::Operand* AddWeight(pnnx::Graph& graph) {
  pnnx::Operator* const op = graph.new_operator("pnnx.Attribute", "words");
  op->attrs["data"] = pnnx::Attribute({kWords, kWidth}, std::vector<float>(std::size_t{kWords * kWidth}));
  Randomise(op->attrs["data"], kSeed, 0.5F);
  return AddOperand(graph, op, "words_out", {kWords, kWidth});
}

/// Adds an operator of that result's shape.
pnnx::Operand* Add(pnnx::Graph& graph, const std::string& type, const std::string& name,
                   const std::vector<pnnx::Operand*>& inputs, const std::vector<std::string>& names,
                   const std::vector<int>& shape) {
  pnnx::Operand* const result = AddUnary(graph, type, name, inputs);
  result->producer->inputnames = names;
  result->shape = shape;
  result->type = kFloat32;
  return result;
}

pnnx::Operand* AddTokens(pnnx::Graph& graph) {
  pnnx::Operand* const tokens = AddInput(graph, 0, {1, kTokens});
  tokens->type = static_cast<int>(RuntimeDataType::kTypeInt64);
  return tokens;
}

/// How a model's output layer multiplies by the embedding.
enum class Head { kLinear, kUnnamed, kTransposed, kPermuted, kProductOfOthers };

/// Makes a model whose embedding and output layer share a weight.
void MakeTied(pnnx::Graph& graph, Head head) {
  pnnx::Operand* const tokens = AddTokens(graph);
  pnnx::Operand* const weight = AddWeight(graph);
  const bool named = head != Head::kUnnamed;
  const std::vector<int> rows{1, kTokens, kWidth};
  pnnx::Operand* const embedded = named
                                      ? Add(graph, "F.embedding", "embed", {tokens, weight}, {"input", "weight"}, rows)
                                      : Add(graph, "aten::embedding", "embed", {weight, tokens}, {}, rows);
  pnnx::Operand* const hidden = AddUnary(graph, "nn.ReLU", "relu", {embedded});
  const std::vector<int> shape{1, kTokens, kWords};
  pnnx::Operand* logits = nullptr;
  if (head == Head::kLinear) {
    logits = Add(graph, "aten::linear", "head", {hidden, weight}, {"input", "weight"}, shape);
  } else if (head == Head::kUnnamed) {
    logits = Add(graph, "F.linear", "head", {hidden, weight}, {}, shape);
  } else if (head == Head::kProductOfOthers) {
    pnnx::Operand* const doubled = AddExpression(graph, "doubled", "mul(@0,2.0)", {weight});
    logits = Add(graph, "aten::linear", "head", {hidden, doubled}, {"input", "weight"}, shape);
  } else {
    const bool permuted = head == Head::kPermuted;
    pnnx::Operand* const turned =
        Add(graph, permuted ? "aten::permute" : "aten::t", "turn", {weight}, {"self"}, {kWidth, kWords});
    if (permuted) turned->producer->params["dims"] = std::vector<int>{1, 0};
    logits = Add(graph, "aten::matmul", "head", {hidden, turned}, {"self", "other"}, shape);
  }
  kuiper_infer::AddOutput(graph, 0, logits);
}

std::vector<float> RunOnTokens(const FloatModel& model, std::unique_ptr<pnnx::Graph> graph) {
  RuntimeGraph built = model.Build(std::move(graph));
  NdArray tokens(RuntimeDataType::kTypeInt64, {1, kTokens});
  for (int i = 0; i < kTokens; ++i) tokens.data<int64_t>()[i] = 7 * i;
  built.set_input("pnnx_input_0", tokens);
  built.Run();
  const NdArray output = built.outputs().front();
  return {output.data<float>(), output.data<float>() + output.size()};
}

pnnx::Operator* Find(const pnnx::Graph& graph, const std::string& name) {
  for (pnnx::Operator* op : graph.ops) {
    if (op->name == name) return op;
  }
  return nullptr;
}

template <class Element>
std::vector<Element> NumbersOf(const pnnx::Operator& op, const std::string& key) {
  const std::vector<char>& data = op.attrs.at(key).data;
  std::vector<Element> numbers(data.size() / sizeof(Element));
  std::memcpy(numbers.data(), data.data(), data.size());
  return numbers;
}

/// The numbers for which the constant's integers stand, by what docs/quantization.md says of the format.
std::vector<float> Decoded(const pnnx::Operator& op, const WeightForm& form) {
  std::vector<float> numbers;
  std::vector<float> scales;
  std::vector<float> minimums;
  if (form.bits == 8) {
    for (const int8_t q : NumbersOf<int8_t>(op, "data")) {
      numbers.push_back(static_cast<float>(form.asymmetric ? q + 128 : q));
    }
  } else {
    for (const uint8_t byte : NumbersOf<uint8_t>(op, "data")) {
      for (const int q : {byte % 16, byte / 16}) numbers.push_back(static_cast<float>(form.asymmetric ? q : q - 8));
    }
  }
  if (form.group == 0 && form.bits == 8) {
    for (const double scale : NumbersOf<double>(op, "data.q_per_channel_scales")) {
      scales.push_back(static_cast<float>(scale));
    }
  } else if (form.asymmetric) {
    for (const uint16_t bits : NumbersOf<uint16_t>(op, "data.q_group_scales")) scales.push_back(HalfBitsToFloat(bits));
    for (const uint16_t bits : NumbersOf<uint16_t>(op, "data.q_group_minimums"))
      minimums.push_back(HalfBitsToFloat(bits));
  } else {
    scales = NumbersOf<float>(op, "data.q_group_scales");
  }
  const std::size_t size = numbers.size() / scales.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double minimum = minimums.empty() ? 0 : static_cast<double>(minimums[i / size]);
    numbers[i] = static_cast<float>(static_cast<double>(numbers[i]) * static_cast<double>(scales[i / size]) + minimum);
  }
  return numbers;
}

std::string BytesOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Case {
  WeightForm form;
  std::string name;
  int64_t bytes;  ///< of the weight and its parameters
};

const Case kCases[] = {
    {{8, 0, false}, "int8", kWords* kWidth + kWords * 8},
    {{8, 32, false}, "int8", kWords* kWidth + kWords* kWidth / 32 * 4},
    {{8, 32, true}, "asymmetric int8", kWords* kWidth + kWords* kWidth / 32 * 2 * 2},
    {{4, 32, false}, "int4", kWords* kWidth / 2 + kWords* kWidth / 32 * 4},
    {{4, 32, true}, "asymmetric int4", kWords* kWidth / 2 + kWords* kWidth / 32 * 2 * 2},
};

TEST(ConstantWeightsTest, TiedWeightsAreStoredOnceAndReadByBoth) {
  for (const Head head : {Head::kLinear, Head::kUnnamed, Head::kTransposed, Head::kPermuted}) {
    pnnx::Graph source;
    MakeTied(source, head);
    const SavedModel saved(source);
    const std::string float_bin = BytesOfFile(saved.model.bin);
    const std::string float_param = BytesOfFile(saved.model.param);
    for (const Case& c : kCases) {
      SCOPED_TRACE(testing::Message() << "head " << static_cast<int>(head) << ", " << c.name << " in groups of "
                                      << c.form.group);
      QuantizedModel result = StoreWeights(saved.model, c.form);
      ASSERT_EQ(result.report.layers.size(), 1U);
      const LayerRow& row = result.report.layers.front();
      EXPECT_EQ(row.name, "words");
      EXPECT_EQ(row.type, "pnnx.Attribute");
      EXPECT_EQ(row.form, c.name);
      EXPECT_EQ(row.reason, "");
      EXPECT_EQ(row.before_bytes, kWords * kWidth * 4);
      EXPECT_EQ(row.after_bytes, c.bytes);

      const std::string stem = saved.model.bin + ".stored";
      ASSERT_EQ(result.graph->save(stem + ".param", stem), 0) << result.graph->error();
      const auto file_bytes = static_cast<int64_t>(std::filesystem::file_size(stem));
      EXPECT_GE(file_bytes, c.bytes);
      EXPECT_LT(file_bytes, c.bytes + 1500) << "headers of the archive's entries, no second copy";
      auto loaded = std::make_unique<pnnx::Graph>();
      loaded->Load(stem + ".param", stem);
      std::filesystem::remove(stem + ".param");
      std::filesystem::remove(stem);
      const std::vector<float> found = RunOnTokens(saved.model, std::move(loaded));

      auto reference = std::make_unique<pnnx::Graph>();
      MakeTied(*reference, head == Head::kUnnamed ? head : Head::kLinear);  // a product may add in another order
      Find(*reference, "words")->attrs["data"].set_float32_data(Decoded(*Find(*result.graph, "words"), c.form));
      EXPECT_EQ(found, RunOnTokens(saved.model, std::move(reference)));
    }
    EXPECT_EQ(BytesOfFile(saved.model.bin), float_bin);
    EXPECT_EQ(BytesOfFile(saved.model.param), float_param);
  }
}

TEST(ConstantWeightsTest, TheGraphThatRunsHasNoConstant) {
  pnnx::Graph source;
  MakeTied(source, Head::kTransposed);
  const SavedModel saved(source);
  const RuntimeGraph built = saved.model.Build(StoreWeights(saved.model, {8, 0}).graph);
  for (const auto& op : built.operators()) EXPECT_NE(op->type, "pnnx.Attribute") << "it would be decoded to float32";
}

TEST(ConstantWeightsTest, OneLinearLayerMayReadItsWeightAsAnInput) {
  pnnx::Graph source;
  pnnx::Operand* const weight = AddWeight(source);
  pnnx::Operand* const x = AddInput(source, 0, {3, kWidth});
  kuiper_infer::AddOutput(source, 0, Add(source, "F.linear", "head", {x, weight}, {"input", "weight"}, {3, kWords}));
  const SavedModel saved(source);
  const QuantizedModel result = StoreWeights(saved.model, {4, 32});
  ASSERT_EQ(result.report.layers.size(), 1U);
  EXPECT_EQ(result.report.layers.front().form, "int4");
}

TEST(ConstantWeightsTest, ATransposedWeightOfItsOwnBecomesLinear) {
  const auto make = [] {
    auto graph = std::make_unique<pnnx::Graph>();
    pnnx::Operand* const x = AddInput(*graph, 0, {3, kWidth});
    pnnx::Operator* const turn = graph->new_operator("aten::transpose", "turn");
    turn->params = {{"dim0", -2}, {"dim1", 1}};
    turn->attrs["self"] = pnnx::Attribute({kWords, kWidth}, std::vector<float>(std::size_t{kWords * kWidth}));
    Randomise(turn->attrs["self"], kSeed, 0.5F);
    pnnx::Operand* const turned = AddOperand(*graph, turn, "turned", {kWidth, kWords});
    kuiper_infer::AddOutput(*graph, 0, Add(*graph, "torch.mm", "head", {x, turned}, {}, {3, kWords}));
    return graph;
  };
  const SavedModel saved(*make());
  auto unified = saved.model.Load();
  ASSERT_EQ(unified->ops.size(), 3U);
  EXPECT_EQ(Find(*unified, "head")->type, "nn.Linear");
  const NdArray input = RandomArray({3, kWidth}, kSeed);
  const std::vector<float> found = RunOnce(std::move(unified), input);
  EXPECT_THAT(found, testing::Pointwise(testing::FloatNear(1e-4F), RunOnce(make(), input)));
  EXPECT_EQ(StoreWeights(saved.model, {4, 32}).report.layers.front().form, "int4");
}

TEST(ConstantWeightsTest, AWeightThatOtherOperatorsReadStaysInFloatAndIsNamed) {
  pnnx::Graph source;
  MakeTied(source, Head::kProductOfOthers);
  const SavedModel saved(source);
  const std::vector<float> wanted = RunOnTokens(saved.model, saved.model.Load());
  QuantizedModel result = StoreWeights(saved.model, {8, 0});
  ASSERT_EQ(result.report.layers.size(), 1U);
  EXPECT_EQ(result.report.layers.front().name, "words");
  EXPECT_EQ(result.report.layers.front().form, "float");
  EXPECT_EQ(result.report.layers.front().reason,
            "'doubled' (pnnx.Expression) doesn't read it as the weight of a linear layer or embedding");
  EXPECT_EQ(RunOnTokens(saved.model, std::move(result.graph)), wanted);
}

TEST(ConstantWeightsTest, AConstantFactorOfAProductStaysInFloatAndIsNamed) {
  pnnx::Graph source;
  pnnx::Operand* const weight = AddWeight(source);
  pnnx::Operand* const x = AddInput(source, 0, {3, kWords});
  kuiper_infer::AddOutput(source, 0, Add(source, "torch.matmul", "mix", {x, weight}, {"input", "other"}, {3, kWidth}));
  kuiper_infer::AddOutput(source, 1, AddUnary(source, "nn.ReLU", "relu", {AddLinear(source, "other", x, kWords)}));
  const SavedModel saved(source);
  const QuantizedModel result = StoreWeights(saved.model, {8, 0});
  ASSERT_EQ(result.report.layers.size(), 2U);
  EXPECT_THAT(result.report.layers[0].reason, testing::StartsWith("'mix' (torch.matmul) doesn't read it"));
  EXPECT_EQ(result.report.layers[1].form, "int8");
}

/// A constant that is neither a weight nor a factor is no concern of the table.
TEST(ConstantWeightsTest, OtherConstantsAreNotInTheTable) {
  pnnx::Graph source;
  pnnx::Operand* const added = AddWeight(source);
  pnnx::Operand* const x = AddInput(source, 0, {kWords, kWidth});
  pnnx::Operand* const sum = AddExpression(source, "sum", "add(@0,@1)", {x, added});
  kuiper_infer::AddOutput(source, 0, AddLinear(source, "head", sum, kWords));
  const SavedModel saved(source);
  const QuantizedModel result = StoreWeights(saved.model, {8, 0});
  ASSERT_EQ(result.report.layers.size(), 1U);
  EXPECT_EQ(result.report.layers.front().name, "head");
}

}  // namespace
}  // namespace kuiper_infer::quantization
