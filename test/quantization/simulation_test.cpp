// SPDX-License-Identifier: MIT
// The exactness of quantised networks, compared with plain rounding as PyTorch simulates it: each layer rounds its
// input over the range of the samples, and its weight with a scale for each output.
#include <cmath>

#include <gtest/gtest.h>

#include "quantization/graph_edits.hpp"
#include "quantization/observation/observation.hpp"
#include "quantization/quantize_model.hpp"
#include "quantization/saved_model.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr int kWidth = 24;

pnnx::Operand* AddRelu(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input) {
  return AddUnary(graph, "nn.ReLU", name, {input});
}

pnnx::Operand* AddDense(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int channels, int window,
                        float scale) {
  pnnx::Operand* const result = AddConvolution(graph, name, input, channels, window);
  Randomise(result->producer->attrs["weight"], kSeed + static_cast<unsigned>(name.back()),
            scale / std::sqrt(static_cast<float>(input->shape[1] * window * window)));
  return result;
}

/// Adds a depthwise convolution that keeps the image's size.
pnnx::Operand* AddDepthwise(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, std::vector<int> window,
                            float scale) {
  const int channels = input->shape[1];
  pnnx::Operand* const result = AddUnary(graph, "nn.Conv2d", name, {input});
  pnnx::Operator* const op = result->producer;
  op->params = {{"kernel_size", window},
                {"padding", std::vector<int>{window[0] / 2, window[1] / 2}},
                {"stride", std::vector<int>{1, 1}},
                {"dilation", std::vector<int>{1, 1}},
                {"groups", channels},
                {"padding_mode", "zeros"},
                {"bias", true}};
  const std::vector<int> shape{channels, 1, window[0], window[1]};
  op->attrs["weight"] =
      pnnx::Attribute(shape, std::vector<float>(static_cast<std::size_t>(channels * window[0] * window[1])));
  op->attrs["bias"] = pnnx::Attribute({channels}, std::vector<float>(static_cast<std::size_t>(channels)));
  Randomise(op->attrs["weight"], kSeed + static_cast<unsigned>(name.size() + window[0]), scale);
  Randomise(op->attrs["bias"], kSeed + 5, 0.2F);
  return result;
}

/// Adds a batch normalisation whose factors are near one.
pnnx::Operand* AddNormalization(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input) {
  const int channels = input->shape[1];
  pnnx::Operand* const result = AddUnary(graph, "nn.BatchNorm2d", name, {input});
  pnnx::Operator* const op = result->producer;
  op->params = {{"num_features", channels}, {"eps", 1e-3F}, {"affine", true}};
  unsigned seed = kSeed + static_cast<unsigned>(name.size());
  for (const auto& [key, middle] :
       {std::pair{"running_mean", 0.0F}, {"running_var", 1.2F}, {"weight", 1.0F}, {"bias", 0.1F}}) {
    pnnx::Attribute& attribute = op->attrs[key];
    attribute = pnnx::Attribute({channels}, std::vector<float>(static_cast<std::size_t>(channels)));
    Randomise(attribute, ++seed, 0.1F);
    std::vector<float> values = attribute.get_float32_data();
    for (float& value : values) value += middle;
    attribute.set_float32_data(values);
  }
  return result;
}

pnnx::Operand* AddSum(pnnx::Graph& graph, const std::string& name, const std::vector<pnnx::Operand*>& terms) {
  std::string text = "@0";
  for (std::size_t i = 1; i < terms.size(); ++i) text = "add(" + text + ",@" + std::to_string(i) + ")";
  return AddExpression(graph, name, text, terms);
}

/// Makes blocks of parallel branches like those of RepVGG and MobileOne, in which the skip connection dominates.
void MakeBlocks(pnnx::Graph& graph) {
  pnnx::Operand* at = AddDense(graph, "stem", AddInput(graph, 0, {1, 3, 16, 16}), kWidth, 3, 1.0F);
  at = AddRelu(graph, "stem_relu", at);
  for (int block = 0; block < 8; ++block) {
    const std::string name = "block_" + std::to_string(block);
    at = AddSum(graph, name + "_windows",
                {AddDepthwise(graph, name + "_window", at, {3, 3}, 0.1F),
                 AddDepthwise(graph, name + "_point", at, {1, 1}, 0.1F), AddNormalization(graph, name + "_skip", at)});
    at = AddRelu(graph, name + "_relu", at);
    at = AddSum(graph, name + "_mixed",
                {AddDense(graph, name + "_dense", at, kWidth, 1, 0.2F), AddNormalization(graph, name + "_beside", at)});
    at = AddRelu(graph, name + "_result", at);
  }
  kuiper_infer::AddOutput(graph, 0, AddDense(graph, "last", at, 5, 1, 1.0F));
}

/// Returns the simulation of a saved model without merging layers.
RuntimeGraph Simulated(const FloatModel& model, const Samples& samples) {
  auto graph = std::make_unique<pnnx::Graph>();
  graph->Load(model.param, model.bin);
  std::set<std::string> reads;
  for (const pnnx::Operator* op : graph->ops) {
    if (op->type == "nn.Conv2d") reads.insert(op->inputs.front()->name);
  }
  const Histograms histograms = Observe(model, {reads.begin(), reads.end()}, samples, kSilent);
  for (pnnx::Operator* op : std::vector<pnnx::Operator*>(graph->ops)) {
    if (op->type != "nn.Conv2d") continue;
    pnnx::Operand* const input = op->inputs.front();
    const Extremes& range = histograms.at(input->name).range();
    pnnx::Operand* const rounded =
        AddQuantize(*graph, input, GridOver(range.lowest, range.highest), op->name + "_input");
    input->remove_consumer(op);
    op->inputs.front() = rounded;
    rounded->consumers.push_back(op);
    pnnx::Attribute& weight = op->attrs.at("weight");
    std::vector<float> values = weight.get_float32_data();
    const int64_t width = static_cast<int64_t>(values.size()) / weight.shape[0];
    const RoundedWeight integers = RoundByRow(values.data(), weight.shape[0], width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(integers.numbers[i] * integers.scales[i / static_cast<std::size_t>(width)]);
    }
    weight.set_float32_data(values);
  }
  return model.Build(std::move(graph));
}

TEST(SimulationTest, BlocksOfParallelBranchesAreAsExact) {
  pnnx::Graph source;
  MakeBlocks(source);
  const SavedModel saved(source);
  const Samples samples = RandomSamples({1, 3, 16, 16}, 8);
  RuntimeGraph wanted = saved.model.Build(saved.model.Load());
  RuntimeGraph simulated = Simulated(saved.model, samples);
  const double plain = *CompareOutputs(wanted, simulated, samples, std::nullopt, kSilent).decibels;
  for (const ObserverKind kind : {ObserverKind::kMinMax, ObserverKind::kMse}) {
    Settings settings;
    settings.timed = false;
    settings.observer.kind = kind;
    RuntimeGraph found = saved.model.Build(QuantizeModel(saved.model, samples, settings, kSilent).graph);
    const double ours = *CompareOutputs(wanted, found, samples, std::nullopt, kSilent).decibels;
    EXPECT_GT(ours, plain - 0.5) << "the simulation has " << plain << " dB";
  }
}

}  // namespace
}  // namespace kuiper_infer::quantization
