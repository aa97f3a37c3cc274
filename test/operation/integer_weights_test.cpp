// SPDX-License-Identifier: MIT
// Weights stored in 8 or 4 bits, with float arrays as inputs: layers read the integers and give the results of the same
// weights in float32.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/format/weight_format.hpp"
#include "kernel/product/integer_weights/rounding_kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/model.hpp"
#include "operation/weights/weight.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

constexpr int kWords = 50;
constexpr int kTokens = 5;
constexpr int kWidth = 64;
constexpr int kHidden = 200;

enum class Form { kIntegers, kFloats };

/// Sets a weight (rows, columns) of an operator, as integers with a scale for each group, or as the numbers that they
/// stand for.
void SetWeight(pnnx::Operator& op, const std::string& name, Form form, int bits, int rows, int columns, int groups) {
  std::vector<float> numbers(static_cast<std::size_t>(rows) * columns);
  const int most = bits == 8 ? 127 : 7;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(static_cast<int>((i * 37 + i / 11 + name.size()) % (2 * most + 1)) - most);
  }
  std::vector<float> scales(static_cast<std::size_t>(rows) * groups);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = (0.3F + static_cast<float>(i % 7) / 10) / most / 4;
  if (form == Form::kFloats) {
    for (int row = 0; row < rows; ++row) {
      kernel::kInt4Format.ScaleRow(&scales[row * groups], groups, columns, &numbers[row * columns]);
    }
    op.attrs[name] = pnnx::Attribute({rows, columns}, numbers);
    return;
  }
  pnnx::Attribute& stored = op.attrs[name];
  stored.type = bits == 8 ? 7 : 8;
  stored.shape = {rows, columns * bits / 8};
  std::vector<uint8_t> bytes(static_cast<std::size_t>(rows) * columns * bits / 8);
  const kernel::WeightFormat& format = bits == 8 ? kernel::kInt8GroupFormat : kernel::kInt4Format;
  format.encode(numbers.data(), static_cast<int64_t>(numbers.size()), bytes.data());
  stored.data.assign(bytes.begin(), bytes.end());
  op.attrs[name + ".q_group_scales"] = pnnx::Attribute({rows, groups}, scales);
}

pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* x, Form form, int bits,
                         int features, int groups) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {x});
  result->shape.back() = features;
  result->producer->params["bias"] = true;
  SetWeight(*result->producer, "weight", form, bits, features, x->shape.back(), groups);
  std::vector<float> bias(static_cast<std::size_t>(features));
  for (int i = 0; i < features; ++i) bias[static_cast<std::size_t>(i)] = static_cast<float>(i % 5) / 8;
  result->producer->attrs["bias"] = pnnx::Attribute({features}, bias);
  return result;
}

/// Returns an embedding, two linear layers with an activation and an addition, and attention. If `tokens` is -1, their
/// number is free.
std::unique_ptr<pnnx::Graph> MakeNetwork(Form form, int tokens = kTokens) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*graph, 0, {1, tokens});
  input->type = 5;
  pnnx::Operand* words = AddUnary(*graph, "nn.Embedding", "words", {input});
  words->shape = {1, tokens, kWidth};
  SetWeight(*words->producer, "weight", form, 4, kWords, kWidth, 4);
  pnnx::Operand* x = AddLinear(*graph, "up", words, form, 8, kHidden, 1);
  x = AddUnary(*graph, "nn.ReLU", "relu", {x});
  x = AddLinear(*graph, "down", x, form, 4, kWidth, 5);
  x = AddExpression(*graph, "sum", "add(@0,@1)", {x, words});
  pnnx::Operand* result = AddUnary(*graph, "nn.MultiheadAttention", "attention", {x});
  pnnx::Operator& attention = *result->producer;
  attention.params["num_heads"] = 4;
  attention.params["embed_dim"] = kWidth;
  attention.params["batch_first"] = true;
  SetWeight(attention, "in_proj_weight", form, 8, 3 * kWidth, kWidth, 2);
  SetWeight(attention, "out_proj.weight", form, 4, kWidth, kWidth, 1);
  for (const auto& [name, size] : {std::pair{"in_proj_bias", 3 * kWidth}, {"out_proj.bias", kWidth}}) {
    attention.attrs[name] = pnnx::Attribute({size}, std::vector<float>(static_cast<std::size_t>(size), 0.1F));
  }
  AddOutput(*graph, 0, result);
  return graph;
}

NdArray Words(int tokens = kTokens) {
  const NdArray words(RuntimeDataType::kTypeInt64, {1, tokens});
  for (int i = 0; i < tokens; ++i) words.data<int64_t>()[i] = i * 13 % kWords;
  return words;
}

std::vector<float> Numbers(const NdArray& array) { return {array.data<float>(), array.data<float>() + array.size()}; }

/// Expects the same bits if linear layers have packed weights, otherwise nearly the same numbers.
void ExpectSame(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (kernel::HasProductKernels(UsedUnits())) {
      ASSERT_EQ(found[i], expected[i]) << i;
    } else {
      ASSERT_NEAR(found[i], expected[i], 1e-5) << i;
    }
  }
}

TEST(IntegerWeightsTest, GivesWhatFloatsGive) {
  for (const int tokens : {1, 3, kTokens, 20, 70}) {
    SCOPED_TRACE(tokens);
    const std::vector<float> found = RunOnce(MakeNetwork(Form::kIntegers, tokens), Words(tokens));
    ExpectSame(found, RunOnce(MakeNetwork(Form::kFloats, tokens), Words(tokens)));
  }
}

TEST(IntegerWeightsTest, EveryOperandKeptGivesTheSame) {
  RuntimeGraph graph(MakeNetwork(Form::kIntegers));
  graph.Build();
  graph.set_input("pnnx_input_0", Words());
  graph.Run();
  const std::vector<float> found = Numbers(graph.outputs().front());
  graph.Forward(true);
  const std::vector<float> kept = Numbers(graph.outputs().front());
  ASSERT_EQ(found.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_NEAR(found[i], kept[i], 1e-5) << i;
}

TEST(IntegerWeightsTest, KeepsOnlyThePackedIntegers) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  RuntimeGraph graph(MakeNetwork(Form::kIntegers));
  graph.Init();
  std::vector<std::pair<RuntimeAttribute*, std::vector<char>>> stored;
  for (const auto& op : graph.operators()) {
    for (const auto& [name, attribute] : op->attribute) {
      const bool packed = op->type != "nn.Embedding" && (name == "weight" || name == "in_proj_weight");
      if (packed) stored.emplace_back(attribute.get(), attribute->weight_data);
    }
  }
  ASSERT_EQ(stored.size(), 3U);
  graph.Build();
  for (const auto& [attribute, bytes] : stored) {
    ASSERT_NE(attribute->weight, nullptr);
    EXPECT_FALSE(attribute->weight->holds_values());
    const NdArray restored = attribute->weight->values();
    ASSERT_EQ(static_cast<std::size_t>(restored.size()), bytes.size());
    EXPECT_EQ(std::memcmp(restored.raw(), bytes.data(), bytes.size()), 0) << "brought back as they were stored";
  }
}

TEST(IntegerWeightsTest, ReportsNameTheMethod) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  RuntimeGraph graph(MakeNetwork(Form::kIntegers));
  graph.Build();
  graph.set_input("pnnx_input_0", Words());
  std::vector<std::string> methods;
  for (const auto& step : graph.Profile()) {
    if (!step.method.empty()) methods.push_back(step.method);
  }
  EXPECT_EQ(methods, (std::vector<std::string>{"int8 weights", "int4 weights", "int8 weights"}));
}

TEST(IntegerWeightsTest, CountsTheNumbersOfTheWeights) {
  RuntimeGraph integers(MakeNetwork(Form::kIntegers));
  RuntimeGraph floats(MakeNetwork(Form::kFloats));
  integers.Build();
  floats.Build();
  EXPECT_EQ(integers.report().parameters, floats.report().parameters);
}

TEST(IntegerWeightsTest, IndicesOutOfRangeAreNamed) {
  RuntimeGraph graph(MakeNetwork(Form::kIntegers));
  graph.Build();
  const NdArray words = Words();
  words.data<int64_t>()[2] = kWords;
  graph.set_input("pnnx_input_0", words);
  try {
    graph.Run();
    FAIL() << "an index of 50 was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("index 50 at position 2 is out of range"), std::string::npos)
        << error.what();
  }
}

class IntegerWeightsFileTest : public testing::Test {
 protected:
  ~IntegerWeightsFileTest() override {
    for (const char* ending : {".param", ".bin", ".caches"}) std::filesystem::remove_all(stem_ + ending);
  }
  void Save(pnnx::Graph& graph) const { ASSERT_EQ(graph.save(stem_ + ".param", stem_ + ".bin"), 0) << graph.error(); }
  std::vector<float> Run(const NdArray& input, const BuildOptions& options = {}) const {
    return Numbers(Model::Load(stem_ + ".param", stem_ + ".bin", options).Run(input).front());
  }

  const std::string stem_ = testing::TempDir() + "integer_weights_" + std::to_string(getpid());
};

TEST_F(IntegerWeightsFileTest, ReadFromTheFileOrACache) {
  for (const int recorded : {kTokens, -1}) {
    SCOPED_TRACE(recorded);
    Save(*MakeNetwork(Form::kIntegers, recorded));
    const std::vector<float> expected = RunOnce(MakeNetwork(Form::kFloats), Words());
    ExpectSame(Run(Words()), expected);
    BuildOptions options;
    options.cache_directory = stem_ + ".caches";
    for (int start = 0; start < 2; ++start) ExpectSame(Run(Words(), options), expected);
  }
}

/// At medium precision alone, and only if the CPU has dot products of bytes, linear layers round their rows to 8 bits.
TEST_F(IntegerWeightsFileTest, MediumPrecisionRoundsRows) {
  const Units units = UsedUnits();
  const bool gains = kernel::HasProductKernels(units) && kernel::GainsByRounding(units.isa, units.int8);
  Save(*MakeNetwork(Form::kIntegers));
  const std::vector<float> exact = Run(Words());
  BuildOptions options;
  options.precision = Precision::kHigh;
  EXPECT_EQ(Run(Words(), options), exact);
  options.precision = Precision::kMedium;
  const std::vector<float> rounded = Run(Words(), options);
  ASSERT_EQ(rounded.size(), exact.size());
  float largest = 0;
  float difference = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    largest = std::max(largest, std::abs(exact[i]));
    difference = std::max(difference, std::abs(rounded[i] - exact[i]));
  }
  EXPECT_LT(difference, 0.03F * largest);
  EXPECT_EQ(difference > 1e-5F * largest, gains);
}

TEST_F(IntegerWeightsFileTest, FloatsNeverLieInMemory) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  constexpr int kSize = 1024;
  for (const int bits : {8, 4}) {
    SCOPED_TRACE(bits);
    pnnx::Graph graph;
    pnnx::Operand* input = AddInput(graph, 0, {1, 2});
    input->type = 5;
    pnnx::Operand* x = AddUnary(graph, "nn.Embedding", "words", {input});
    x->shape = {1, 2, kSize};
    SetWeight(*x->producer, "weight", Form::kIntegers, bits, kSize, kSize, 8);
    AddOutput(graph, 0, AddLinear(graph, "linear", x, Form::kIntegers, bits, kSize, 8));
    Save(graph);
    BuildOptions options;
    constexpr int64_t kScales = 2 * 8 * kSize * 4;
    options.max_memory_bytes = 2 * kSize * kSize * bits / 8 + 4 * kScales;
    EXPECT_EQ(Run(Words(2), options).size(), 2U * kSize);
  }
}

}  // namespace
}  // namespace kuiper_infer
