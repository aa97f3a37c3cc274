// SPDX-License-Identifier: MIT
#include "quantization/quantize_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/int8/panels.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "quantization/graph_edits.hpp"
#include "quantization/observation/observation.hpp"
#include "quantization/saved_model.hpp"
#include "quantization/search/layer_search.hpp"

namespace kuiper_infer::quantization {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int kChannels = 8;
constexpr int kSide = 6;

/// Layers as small as a test's have random times in integers.
Settings Untimed() {
  Settings settings;
  settings.timed = false;
  return settings;
}

/// Makes two convolutions with a ReLU and a pooling between them, and then a grouped convolution.
void MakeNetwork(pnnx::Graph& graph) {
  pnnx::Operand* at = AddInput(graph, 0, {1, kChannels, kSide, kSide});
  at = AddConvolution(graph, "first", at, kChannels, 3);
  at = AddUnary(graph, "nn.ReLU", "relu", {at});
  at = AddUnary(graph, "nn.MaxPool2d", "pool", {at});
  at->producer->params = {{"kernel_size", std::vector<int>{3, 3}},
                          {"stride", std::vector<int>{1, 1}},
                          {"padding", std::vector<int>{1, 1}},
                          {"dilation", std::vector<int>{1, 1}},
                          {"ceil_mode", false},
                          {"return_indices", false}};
  at = AddConvolution(graph, "second", at, kChannels, 3);
  Randomise(graph.ops[1]->attrs["weight"], kSeed, 0.2F);
  Randomise(graph.ops[4]->attrs["weight"], kSeed + 1, 0.2F);
  pnnx::Operand* const grouped = AddConvolution(graph, "grouped", at, kChannels, 3);
  grouped->producer->attrs["weight"] = pnnx::Attribute({kChannels, 2, 3, 3}, std::vector<float>(kChannels * 18, 0.1F));
  grouped->producer->params["groups"] = kChannels / 2;
  kuiper_infer::AddOutput(graph, 0, grouped);
}

const pnnx::Operator* Find(const pnnx::Graph& graph, const std::string& name) {
  for (const pnnx::Operator* op : graph.ops) {
    if (op->name == name) return op;
  }
  return nullptr;
}

using Numbers = std::vector<double>;

/// Returns the numbers rounded to the operator's grid.
Numbers Round(const pnnx::Operator& quantize, Numbers values) {
  const auto scale = static_cast<double>(quantize.params.at("scale").f);
  const int zero_point = quantize.params.at("zero_point").i;
  for (double& value : values) {
    value = (std::clamp(std::nearbyint(value / scale) + zero_point, 0.0, 255.0) - zero_point) * scale;
  }
  return values;
}

/// Computes a 3x3 convolution with the file's weight: integers times a scale for each channel.
Numbers Convolve(const pnnx::Operator& op, const Numbers& input) {
  const pnnx::Attribute& weight = op.attrs.at("weight");
  const pnnx::Attribute& stored_scales = op.attrs.at("weight.q_per_channel_scales");
  EXPECT_EQ(weight.type, static_cast<int>(RuntimeDataType::kTypeInt8));
  EXPECT_EQ(stored_scales.type, static_cast<int>(RuntimeDataType::kTypeFloat64));
  std::vector<double> scales(kChannels);
  std::memcpy(scales.data(), stored_scales.data.data(), stored_scales.data.size());
  const std::vector<float> bias = op.attrs.at("bias").get_float32_data();
  const auto* const integers = reinterpret_cast<const int8_t*>(weight.data.data());
  Numbers output;
  for (int o = 0; o < kChannels; ++o) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        double sum = 0;
        for (int c = 0; c < kChannels; ++c) {
          for (int tap = 0; tap < 9; ++tap) {
            const int row = y + tap / 3 - 1;
            const int column = x + tap % 3 - 1;
            if (row < 0 || column < 0 || row >= kSide || column >= kSide) continue;
            sum += integers[(o * kChannels + c) * 9 + tap] * input[(c * kSide + row) * kSide + column];
          }
        }
        output.push_back(sum * scales[o] + static_cast<double>(bias[o]));
      }
    }
  }
  return output;
}

Numbers ReluAndPool(const Numbers& input) {
  Numbers output;
  for (int c = 0; c < kChannels; ++c) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        double most = 0;
        for (int row = std::max(0, y - 1); row <= std::min(kSide - 1, y + 1); ++row) {
          for (int column = std::max(0, x - 1); column <= std::min(kSide - 1, x + 1); ++column) {
            most = std::max(most, input[(c * kSide + row) * kSide + column]);
          }
        }
        output.push_back(most);
      }
    }
  }
  return output;
}

TEST(QuantizeModelTest, DepthwiseLayersWithSquareWindowsAreRounded) {
  for (const bool square : {true, false}) {
    pnnx::Graph source;
    pnnx::Operand* const at = AddInput(source, 0, {1, kChannels, kSide, kSide});
    pnnx::Operand* const plain = AddConvolution(source, "plain", at, kChannels, 3);
    Randomise(source.ops[1]->attrs["weight"], kSeed, 0.2F);
    pnnx::Operand* const deep = AddConvolution(source, "depthwise", plain, kChannels, 3);
    const int width = square ? 3 : 1;
    pnnx::Attribute& weight = deep->producer->attrs["weight"];
    weight = pnnx::Attribute({kChannels, 1, 3, width}, std::vector<float>(kChannels * 3 * width));
    Randomise(weight, kSeed + 1, 0.2F);
    deep->producer->params["groups"] = kChannels;
    deep->producer->params["kernel_size"] = std::vector<int>{3, width};
    deep->producer->params["padding"] = std::vector<int>{1, width / 2};
    kuiper_infer::AddOutput(source, 0, deep);
    const SavedModel saved(source);
    const QuantizedModel result =
        QuantizeModel(saved.model, RandomSamples({1, kChannels, kSide, kSide}, 6), Untimed(), kSilent);
    ASSERT_EQ(result.report.layers.size(), 2U);
    EXPECT_EQ(result.report.layers[1].form, square ? "int8" : "float");
    EXPECT_EQ(result.report.layers[1].reason, square ? "" : "depthwise, and its windows are no squares");
  }
}

TEST(QuantizeModelTest, ConvolutionsOfFewChannelsStayAsNoKernelComputesThemInIntegers) {
  pnnx::Graph source;
  pnnx::Operand* const at = AddInput(source, 0, {1, kChannels, kSide, kSide});
  pnnx::Operand* const plain = AddConvolution(source, "plain", at, kChannels, 3);
  Randomise(source.ops[1]->attrs["weight"], kSeed, 0.2F);
  pnnx::Operand* const few = AddConvolution(source, "few", plain, kernel::kLeastInt8Channels - 1, 1);
  kuiper_infer::AddOutput(source, 0, AddConvolution(source, "enough", few, kernel::kLeastInt8Channels, 1));
  const SavedModel saved(source);
  const QuantizedModel result =
      QuantizeModel(saved.model, RandomSamples({1, kChannels, kSide, kSide}, 6), Untimed(), kSilent);
  ASSERT_EQ(result.report.layers.size(), 3U);
  EXPECT_EQ(result.report.layers[1].form, "float");
  EXPECT_EQ(result.report.layers[1].reason, "computed in float anyway, as it has fewer than 8 channels");
  EXPECT_EQ(result.report.layers[2].form, "int8");
}

TEST(QuantizeModelTest, ThePairComputesWhatItsNumbersSay) {
  pnnx::Graph source;
  MakeNetwork(source);
  const SavedModel saved(source);
  const Shape shape{1, kChannels, kSide, kSide};
  QuantizedModel result = QuantizeModel(saved.model, RandomSamples(shape, 6), Untimed(), kSilent);
  ASSERT_EQ(result.report.layers.size(), 3U);
  EXPECT_EQ(result.report.layers[2].form, "float");
  EXPECT_EQ(result.report.layers[2].reason, "grouped");

  const pnnx::Graph& graph = *result.graph;
  const pnnx::Operator& first = *Find(graph, "first");
  const pnnx::Operator& second = *Find(graph, "second");
  const pnnx::Operator& pool = *Find(graph, "pool");
  EXPECT_EQ(first.inputs[0]->producer->type, "nn.quantized.Quantize");
  EXPECT_EQ(pool.inputs[0]->producer->type, "nn.quantized.Quantize");
  EXPECT_EQ(second.inputs[0]->producer, &pool);

  const NdArray input = RandomArray(shape, kSeed + 100);
  Numbers numbers(input.data<float>(), input.data<float>() + input.size());
  numbers = Convolve(first, Round(*first.inputs[0]->producer, numbers));
  const Numbers wanted = Convolve(second, Round(*pool.inputs[0]->producer, ReluAndPool(numbers)));
  result.graph->ops.back()->inputs[0]->remove_consumer(result.graph->ops.back());
  pnnx::Operand* const output = result.graph->get_operand("second_out");
  result.graph->ops.back()->inputs = {output};
  output->consumers.push_back(result.graph->ops.back());
  const std::vector<float> found = RunOnce(std::move(result.graph), input);
  ASSERT_EQ(found.size(), wanted.size());
  std::size_t near = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], wanted[i], 0.05) << i;
    near += std::abs(static_cast<double>(found[i]) - wanted[i]) < 1e-4 ? 1 : 0;
  }
  // A number half-way between two numbers of a grid may be rounded either way.
  EXPECT_GE(static_cast<double>(near), 0.9 * static_cast<double>(found.size())) << "seed " << kSeed;
}

TEST(QuantizeModelTest, AllObserversKeepTheOutputsNear) {
  pnnx::Graph source;
  MakeNetwork(source);
  const SavedModel saved(source);
  const Samples samples = RandomSamples({1, kChannels, kSide, kSide}, 4);
  for (const std::string& name : ObserverNames()) {
    SCOPED_TRACE(name);
    Settings settings = Untimed();
    settings.observer.kind = ObserverOf(name);
    const QuantizedModel result = QuantizeModel(saved.model, samples, settings, kSilent);
    for (const LayerRow& row : result.report.layers) {
      if (row.form == "int8") {
        EXPECT_GT(*row.decibels, 25) << row.name;
      }
    }
    EXPECT_THAT(result.report.remarks, testing::Contains(StartsWith("Over 4 samples, the outputs have an SQNR of ")));
  }
}

/// Makes a chain of linear layers. `bad` reads an array whose first column is 3,000 times as large as the other
/// columns, and its weight compensates for that. In eight bits the other columns are lost.
void MakeUnbalanced(pnnx::Graph& graph) {
  pnnx::Operand* at = AddInput(graph, 0, {4, 16});
  at = AddLinear(graph, "good", at, 16);
  at = AddLinear(graph, "spread", at, 16);
  std::vector<float> weight = at->producer->attrs["weight"].get_float32_data();
  for (int i = 0; i < 16; ++i) weight[i] *= 3000;
  at->producer->attrs["weight"].set_float32_data(weight);
  at = AddLinear(graph, "bad", at, 16);
  weight = at->producer->attrs["weight"].get_float32_data();
  for (int row = 0; row < 16; ++row) weight[row * 16] /= 3000;
  at->producer->attrs["weight"].set_float32_data(weight);
  at = AddLinear(graph, "last", at, 8);
  kuiper_infer::AddOutput(graph, 0, at);
}

TEST(QuantizeModelTest, AttentionIsRoundedInFrontOfBothItsProjections) {
  pnnx::Graph source;
  pnnx::Operand* const input = AddInput(source, 0, {2, 9, 32});
  pnnx::Operand* const attended = AddAttention(source, "attention", input, 4);
  kuiper_infer::AddOutput(source, 0, AddExpression(source, "sum", "add(@0,@1)", {attended, input}));
  const SavedModel saved(source);
  const Samples samples = RandomSamples({2, 9, 32}, 4);
  for (const std::string& name : ObserverNames()) {
    SCOPED_TRACE(name);
    Settings settings = Untimed();
    settings.observer.kind = ObserverOf(name);
    const QuantizedModel result = QuantizeModel(saved.model, samples, settings, kSilent);
    ASSERT_EQ(result.report.layers.size(), 2U);
    EXPECT_EQ(result.report.layers[0].name, "attention");
    EXPECT_EQ(result.report.layers[1].name, "attention.out_proj");
    for (const LayerRow& row : result.report.layers) {
      EXPECT_EQ(row.form, "int8") << row.name;
      EXPECT_GT(*row.decibels, 20) << row.name;
      EXPECT_EQ(Find(*result.graph, row.name)->inputs[0]->producer->type, "nn.quantized.Quantize");
    }
    EXPECT_EQ(Find(*result.graph, "attention.out_proj")->inputs[0]->producer->inputs[0]->producer->name, "attention");
    EXPECT_TRUE(Find(*result.graph, "attention")->params.at("int8_products").b);
  }
}

TEST(QuantizeModelTest, ProductsOfAttentionAloneAreALayer) {
  pnnx::Graph source;
  pnnx::Operand* const input = AddInput(source, 0, {2, 9, 32});
  pnnx::Operand* const keys = AddLinear(source, "keys", input, 32);
  const std::vector<pnnx::Operand*> operands{input, keys, keys};
  pnnx::Operand* const attended = AddUnary(source, "F.scaled_dot_product_attention", "attention", operands);
  kuiper_infer::AddOutput(source, 0, AddExpression(source, "sum", "add(@0,@1)", {attended, input}));
  const SavedModel saved(source);
  const QuantizedModel result = QuantizeModel(saved.model, RandomSamples({2, 9, 32}, 4), Untimed(), kSilent);
  ASSERT_EQ(result.report.layers.size(), 2U);
  const LayerRow& row = result.report.layers[1];
  EXPECT_EQ(row.name, "attention");
  EXPECT_EQ(row.form, "int8");
  EXPECT_GT(*row.decibels, 25);
  const pnnx::Operator* const attention = Find(*result.graph, "attention");
  EXPECT_TRUE(attention->params.at("int8_products").b);
  EXPECT_TRUE(attention->attrs.empty());
  EXPECT_EQ(attention->inputs[1]->producer->type, "nn.Linear");
  EXPECT_EQ(Find(*result.graph, "keys")->inputs[0]->producer->type, "nn.quantized.Quantize");
}

std::set<std::string> InFloat(const Report& report) {
  std::set<std::string> names;
  for (const LayerRow& row : report.layers) {
    if (row.form == "float") names.insert(row.name);
  }
  return names;
}

TEST(QuantizeModelTest, TheGateKeepsTheLayerThatHurts) {
  pnnx::Graph source;
  MakeUnbalanced(source);
  const SavedModel saved(source);
  const Samples samples = RandomSamples({4, 16}, 8);
  EXPECT_EQ(InFloat(QuantizeModel(saved.model, samples, Untimed(), kSilent).report).count("bad"), 0U);
  Settings settings = Untimed();
  settings.gate = DecibelGate(saved.model, samples, 25, kSilent);
  const QuantizedModel result = QuantizeModel(saved.model, samples, settings, kSilent);
  EXPECT_EQ(InFloat(result.report), std::set<std::string>{"bad"});
  EXPECT_THAT(result.report.layers[2].reason, StartsWith("rounded alone it leaves the outputs "));
  EXPECT_THAT(result.report.remarks, testing::Contains(StartsWith("The gate holds: SQNR of the outputs in dB is ")));
}

TEST(QuantizeModelTest, AGateMayLeaveNothingQuantised) {
  pnnx::Graph source;
  MakeUnbalanced(source);
  const SavedModel saved(source);
  const Samples samples = RandomSamples({4, 16}, 3);
  Settings settings = Untimed();
  settings.gate = DecibelGate(saved.model, samples, 150, kSilent);
  const QuantizedModel result = QuantizeModel(saved.model, samples, settings, kSilent);
  EXPECT_EQ(InFloat(result.report).size(), 4U);
  for (const pnnx::Operator* op : result.graph->ops) EXPECT_NE(op->type, "nn.quantized.Quantize");
}

TEST(QuantizeModelTest, AGateThatFailsInFloatIsAnError) {
  pnnx::Graph source;
  MakeUnbalanced(source);
  const SavedModel saved(source);
  Settings settings = Untimed();
  settings.gate = Gate{"share of good days", 0.5, [](std::unique_ptr<pnnx::Graph>) { return 0.25; }};
  try {
    QuantizeModel(saved.model, RandomSamples({4, 16}, 1), settings, kSilent);
    FAIL() << "the gate is believed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the gate cannot hold: share of good days is 0.25 for the float model itself, "
                                        "expected at least 0.5"));
  }
}

TEST(QuantizeModelTest, AModelWithoutLayersIsAnError) {
  pnnx::Graph source;
  kuiper_infer::AddOutput(source, 0, AddUnary(source, "nn.ReLU", "relu", {AddInput(source, 0, {1, 4})}));
  const SavedModel saved(source);
  EXPECT_THROW(QuantizeModel(saved.model, RandomSamples({1, 4}, 1), Untimed(), kSilent), Error);
}

TEST(QuantizeModelTest, WeightsThatAreNotFiniteStay) {
  pnnx::Graph source;
  MakeUnbalanced(source);
  std::vector<float> weight = source.ops[4]->attrs["weight"].get_float32_data();
  weight[3] = std::numeric_limits<float>::infinity();
  source.ops[4]->attrs["weight"].set_float32_data(weight);
  const SavedModel saved(source);
  const QuantizedModel result = QuantizeModel(saved.model, RandomSamples({4, 16}, 1), Untimed(), kSilent);
  EXPECT_EQ(InFloat(result.report), std::set<std::string>{"last"});
}

TEST(LayerSearchTest, ALayerAloneHasTheGridThatItSharesInTheWhole) {
  pnnx::Graph source;
  pnnx::Operand* const input = AddInput(source, 0, {4, 16});
  pnnx::Operand* const small = AddLinear(source, "small", input, 16);
  pnnx::Operand* const large = AddExpression(source, "large", "mul(@0,100.0)", {small});
  pnnx::Operand* const joined = AddUnary(source, "torch.cat", "join", {small, large});
  joined->producer->params["dim"] = 1;
  joined->shape = {4, 32};
  kuiper_infer::AddOutput(source, 0, AddLinear(source, "of_both", joined, 8));
  kuiper_infer::AddOutput(source, 1, AddLinear(source, "of_small", small, 8));
  const SavedModel saved(source);
  const std::set<std::string> all{"of_both", "of_small"};
  const Samples samples = RandomSamples({4, 16}, 2);
  const Calibration calibration{
      Observe(saved.model, OperandsToObserve(source, all), samples, kSilent), {ObserverKind::kMinMax}, {}};
  const auto scale = [&](const std::set<std::string>& sharing) {
    const Candidate candidate = MakeCandidate(saved.model, {"of_small"}, sharing, calibration);
    EXPECT_EQ(candidate.grid_of_rounding.size(), 1U) << "only what the layer reads is rounded";
    return Find(*candidate.graph, candidate.grid_of_rounding.begin()->first)->params.at("scale").f;
  };
  EXPECT_NEAR(scale(all) / scale({"of_small"}), 100, 1);
}

TEST(LayerSearchTest, LayersThatAreNotFasterStay) {
  EXPECT_EQ(SlowReason({2, 1}, true), "");
  EXPECT_EQ(SlowReason({0.25, 0.5}, true), "not faster: 0.5000 ms in int8, 0.2500 ms in float");
  EXPECT_EQ(SlowReason({1, 1}, true), "not faster: 1.0000 ms in int8, 1.0000 ms in float");
  EXPECT_EQ(SlowReason({2, 1}, false), "not computed in integers on this CPU");
}

TEST(LayerSearchTest, ChainsEndWhereTheFloatModelHasAStep) {
  const auto steps = [](const std::vector<std::pair<std::string, std::string>>& named) {
    Steps result;
    for (const auto& [name, type] : named) {
      result.emplace_back();
      result.back().name = name;
      result.back().type = type;
    }
    return result;
  };
  const Steps before = steps({{"a", "nn.Conv2d"}, {"pool", "nn.MaxPool2d"}, {"d", "nn.Conv2d"}, {"e", "nn.Conv2d"}});
  const Steps after = steps({{"a", "nn.Conv2d"},
                             {"b", "nn.Conv2d"},
                             {"rounding", "nn.quantized.Quantize"},
                             {"pool", "nn.MaxPool2d"},
                             {"c", "nn.Conv2d"},
                             {"d", "nn.Conv2d"},
                             {"e", "nn.Conv2d"}});
  const std::map<std::string, std::string> wanted = {{"b", "d"}, {"c", "d"}};
  EXPECT_EQ(ChainsOf(before, after), wanted);
  Times times;
  times.layers["d"] = {3, 2};
  times.chained_to = wanted;
  EXPECT_EQ(times.Find("c")->after, 2);
  EXPECT_EQ(times.Find("d")->before, 3);
  EXPECT_EQ(times.Find("x"), nullptr);
}

/// Returns whether the 3x3 convolution's weight has narrow pairs when it is packed with window rows as segments.
bool IsNarrow(const pnnx::Graph& graph, const std::string& layer) {
  const pnnx::Attribute& weight = Find(graph, layer)->attrs.at("weight");
  const int64_t inputs = weight.shape[1];
  const std::vector<float> integers(reinterpret_cast<const int8_t*>(weight.data.data()),
                                    reinterpret_cast<const int8_t*>(weight.data.data()) + weight.data.size());
  const kernel::Int8Panels panels;
  kernel::Product product;
  product.columns = weight.shape[0];
  product.depth = inputs * 3;
  product.segments = 3;
  std::vector<std::byte> packed(
      static_cast<std::size_t>(panels.Bytes(product.columns, product.depth, product.segments)));
  panels.Pack({product.columns, inputs, 9, integers.data(), inputs * 9, product.segments}, packed.data());
  product.weight.data = packed.data();
  return kernel::Int8PairsAreNarrow(kernel::Int8PanelEnd(product, 0), kernel::kInt8Lanes);
}

TEST(QuantizeModelTest, NarrowPairsAreThoseThatKernelsMultiply) {
  pnnx::Graph source;
  pnnx::Operand* at = AddConvolution(source, "of_three", AddInput(source, 0, {1, 3, 9, 9}), kChannels, 3);
  kuiper_infer::AddOutput(source, 0, AddConvolution(source, "of_eight", at, kChannels, 3));
  for (const int op : {1, 2}) Randomise(source.ops[op]->attrs["weight"], kSeed + op, 0.2F);
  const SavedModel saved(source);
  Settings settings = Untimed();
  for (const bool narrow : {false, true}) {
    settings.rounding = narrow ? WeightRounding::kNarrowPairs : WeightRounding::kByRow;
    const QuantizedModel model = QuantizeModel(saved.model, RandomSamples({1, 3, 9, 9}, 2), settings, kSilent);
    EXPECT_EQ(IsNarrow(*model.graph, "of_three"), narrow);
    EXPECT_EQ(IsNarrow(*model.graph, "of_eight"), narrow);
  }
}

double Length(const std::vector<double>& vector) {
  return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

/// Quantises the model's only layer, with `outputs` channels along the last axis, with and without a corrected bias.
/// Expects the correction to leave at most a share `left` of the differences of the channels' means.
void CheckShiftedBias(pnnx::Graph& source, const std::string& layer, const Shape& shape, int outputs, double left) {
  const SavedModel saved(source);
  const Samples samples = RandomSamples(shape, 5);
  Calibration calibration{Observe(saved.model, {"in0"}, samples, kSilent), {}, {}};
  const LayerError error = LayerErrors(saved.model, {layer}, calibration, samples, kSilent).at(layer);
  ASSERT_EQ(error.mean_shift.size(), static_cast<std::size_t>(outputs));
  const auto mean_difference = [&] {
    RuntimeGraph wanted = saved.model.Build(saved.model.Load());
    RuntimeGraph found = saved.model.Build(MakeCandidate(saved.model, {layer}, {layer}, calibration).graph);
    std::vector<double> means(outputs, 0.0);
    for (std::size_t sample = 0; sample < samples.count; ++sample) {
      const NdArray right = RunSample(wanted, samples, sample).front();
      const NdArray given = RunSample(found, samples, sample).front();
      const double count = static_cast<double>(right.size() / outputs) * 5;
      for (int64_t i = 0; i < right.size(); ++i) {
        means[i % outputs] += static_cast<double>(right.data<float>()[i] - given.data<float>()[i]) / count;
      }
    }
    return means;
  };
  const std::vector<double> before = mean_difference();
  for (int i = 0; i < outputs; ++i) EXPECT_NEAR(before[i], static_cast<double>(error.mean_shift[i]), 1e-5) << i;
  EXPECT_GT(*std::max_element(before.begin(), before.end()), 1e-4) << "nothing to make up for";
  calibration.bias_shifts[layer] = error.mean_shift;
  const std::vector<double> after = mean_difference();
  EXPECT_LT(Length(after), left * Length(before)) << "seed " << kSeed;
}

TEST(LayerErrorsTest, ShiftedBiasesKeepTheMeans) {
  pnnx::Graph source;
  kuiper_infer::AddOutput(source, 0, AddLinear(source, "fc", AddInput(source, 0, {4, 16}), 8));
  CheckShiftedBias(source, "fc", {4, 16}, 8, 0.001);
}

TEST(LayerErrorsTest, ShiftedBiasesOfValuesKeepTheMeansOfAttention) {
  pnnx::Graph source;
  pnnx::Operand* const context = AddAttention(source, "attention", AddInput(source, 0, {2, 9, 32}), 4);
  pnnx::Operator* const op = context->producer;
  op->params["out_proj"] = false;
  for (const char* part : {"out_proj.weight", "out_proj.bias"}) op->attrs.erase(part);
  kuiper_infer::AddOutput(source, 0, context);
  // After a change of their bias, values are rounded anew.
  CheckShiftedBias(source, "attention", {2, 9, 32}, 32, UsedInt8Unit() != Int8Unit::kPortable ? 0.5 : 0.001);
}

TEST(GraphEditsTest, LayersWithoutABiasGetOne) {
  pnnx::Operator op;
  op.params["bias"] = false;
  ShiftBias(op, {1, -2});
  EXPECT_TRUE(op.params["bias"].b);
  EXPECT_THAT(op.attrs["bias"].get_float32_data(), testing::ElementsAre(1, -2));
  ShiftBias(op, {0.5F, 0.5F});
  ShiftBias(op, {1, 1, 1});
  EXPECT_THAT(op.attrs["bias"].get_float32_data(), testing::ElementsAre(1.5F, -1.5F));
}

TEST(LayerSearchTest, TimesCountARoundingOnceForItsReaders) {
  pnnx::Graph source;
  MakeUnbalanced(source);
  const SavedModel saved(source);
  const Samples samples = RandomSamples({4, 16}, 1);
  const Calibration calibration{
      Observe(saved.model, OperandsToObserve(source, {"good", "bad"}), samples, kSilent), {}, {}};
  Candidate candidate = MakeCandidate(saved.model, {"good", "bad"}, {"good", "bad"}, calibration);
  EXPECT_EQ(candidate.grid_of_rounding.size(), 2U);
  RuntimeGraph before = saved.model.Build(saved.model.Load());
  RuntimeGraph after = saved.model.Build(std::move(candidate.graph));
  const Times times = CompareTimes(before, candidate, after, samples);
  double sum = 0;
  for (const char* layer : {"good", "spread", "bad", "last"}) {
    ASSERT_EQ(times.layers.count(layer), 1U) << layer;
    EXPECT_GT(times.layers.at(layer).before, 0) << layer;
    EXPECT_GT(times.layers.at(layer).after, 0) << layer;
    sum += times.layers.at(layer).after;
  }
  EXPECT_NEAR(sum, times.after, 1e-9) << "all steps of this model belong to its layers";
}

}  // namespace
}  // namespace kuiper_infer::quantization
