// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <random>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer::quantization {

constexpr unsigned kSeed = 1909;

/// The two files of a graph, removed with the object.
class SavedModel {
 public:
  explicit SavedModel(pnnx::Graph& graph) {
    const std::string stem = testing::TempDir() + "quantization_" + std::to_string(getpid());
    model.param = stem + ".param";
    model.bin = stem + ".bin";
    EXPECT_EQ(graph.save(model.param, model.bin), 0) << graph.error();
  }
  ~SavedModel() {
    std::remove(model.param.c_str());
    std::remove(model.bin.c_str());
  }
  SavedModel(const SavedModel&) = delete;
  SavedModel& operator=(const SavedModel&) = delete;

  FloatModel model;
};

/// Returns an array of normal random numbers.
inline NdArray RandomArray(const Shape& shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> bell;
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] = bell(generator);
  return array;
}

/// Returns samples of one random array each.
inline Samples RandomSamples(const Shape& shape, std::size_t count) {
  return {count,
          [shape](std::size_t index) {
            return std::vector<NdArray>{RandomArray(shape, kSeed + static_cast<unsigned>(index))};
          },
          [](std::size_t index) { return "sample " + std::to_string(index); }};
}

/// Sets a weight to random numbers.
inline void Randomise(pnnx::Attribute& weight, unsigned seed, float scale) {
  const NdArray numbers = RandomArray({weight.elemcount()}, seed);
  std::vector<float> values(numbers.data<float>(), numbers.data<float>() + numbers.size());
  for (float& value : values) value *= scale;
  weight.set_float32_data(values);
}

/// Adds a linear layer with random weights.
inline pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int outputs) {
  const int inputs = input->shape.back();
  pnnx::Operand* const result = AddUnary(graph, "nn.Linear", name, {input});
  result->shape.back() = outputs;
  pnnx::Operator* const op = result->producer;
  op->params["bias"] = true;
  op->params["in_features"] = inputs;
  op->params["out_features"] = outputs;
  op->attrs["weight"] =
      pnnx::Attribute({outputs, inputs}, std::vector<float>(static_cast<std::size_t>(outputs * inputs)));
  op->attrs["bias"] = pnnx::Attribute({outputs}, std::vector<float>(static_cast<std::size_t>(outputs), 0.25F));
  Randomise(op->attrs["weight"], kSeed + static_cast<unsigned>(name.size()), 0.3F);
  return result;
}

/// Adds self-attention over (batch, length, width) with random weights.
inline pnnx::Operand* AddAttention(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, int heads) {
  const int width = input->shape.back();
  pnnx::Operand* const result = AddUnary(graph, "nn.MultiheadAttention", name, {input});
  pnnx::Operator* const op = result->producer;
  op->params = {{"num_heads", heads}, {"embed_dim", width}, {"batch_first", true}, {"bias", true}};
  for (const auto& [part, rows] : {std::pair{"in_proj_", 3 * width}, {"out_proj.", width}}) {
    const std::string key = part;
    op->attrs[key + "bias"] = pnnx::Attribute({rows}, std::vector<float>(static_cast<std::size_t>(rows), 0.25F));
    pnnx::Attribute& weight = op->attrs[key + "weight"];
    weight = pnnx::Attribute({rows, width}, std::vector<float>(static_cast<std::size_t>(rows * width)));
    Randomise(weight, kSeed + static_cast<unsigned>(rows), 0.3F);
  }
  return result;
}

inline const Progress kSilent = [](const std::string&, std::size_t, std::size_t) {};

}  // namespace kuiper_infer::quantization
