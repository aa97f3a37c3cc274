// SPDX-License-Identifier: MIT
// Linear layers that read the same array become one step. Its results are those of separate steps, bit by bit.
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/format/weight_format.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

enum class Stored { kFloat32, kInt8, kInt4 };

constexpr int kGroup = 32;

/// Sets the weight of a linear layer: random numbers, or integers with random scales in groups of kGroup.
void SetWeight(pnnx::Operator& op, Stored stored, int outputs, int features, std::mt19937& random) {
  if (stored == Stored::kFloat32) {
    op.attrs["weight"] =
        pnnx::Attribute({outputs, features}, RandomVector<float>(static_cast<int64_t>(outputs) * features, random()));
    return;
  }
  constexpr int kInt8 = 7;  // element types of the file
  constexpr int kUInt8 = 8;
  const bool bytes = stored == Stored::kInt8;
  pnnx::Attribute& weight = op.attrs["weight"];
  weight.type = bytes ? kInt8 : kUInt8;
  weight.shape = {outputs, bytes ? features : features / 2};
  for (int i = 0; i < weight.shape[0] * weight.shape[1]; ++i) weight.data.push_back(static_cast<char>(random()));
  const int groups = features / kGroup;
  op.attrs["weight.q_group_scales"] =
      pnnx::Attribute({outputs, groups}, RandomVector<float>(static_cast<int64_t>(outputs) * groups, random()));
}

pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input, Stored stored, int outputs,
                         std::mt19937& random) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
  const int features = input->shape.back();
  result->shape.back() = outputs;
  pnnx::Operator& op = *result->producer;
  op.params["in_features"] = features;
  op.params["out_features"] = outputs;
  op.params["bias"] = random() % 2 == 0;
  SetWeight(op, stored, outputs, features, random);
  if (op.params["bias"].b) op.attrs["bias"] = pnnx::Attribute({outputs}, RandomVector<float>(outputs, random()));
  return result;
}

RuntimeGraph Built(std::unique_ptr<pnnx::Graph> source, const BuildOptions& options = {}) {
  RuntimeGraph graph(std::move(source));
  graph.set_build_options(options);
  graph.Build();
  return graph;
}

NdArray RandomArray(const Shape& shape, uint32_t seed) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  const std::vector<float> numbers = RandomVector<float>(array.size(), seed);
  std::copy(numbers.begin(), numbers.end(), array.data<float>());
  return array;
}

/// The products of a graph's steps: those of a step of several, 1 for any other linear layer.
std::vector<int> ProductsOfSteps(RuntimeGraph& graph) {
  std::vector<int> counts;
  for (const RuntimeGraph::StepProfile& step : graph.Profile()) {
    if (step.type != "nn.Linear") continue;
    const bool several = step.method.find(" products") != std::string::npos;
    counts.push_back(several ? std::stoi(step.method) : 1);
  }
  return counts;
}

/// The steps that the layers of a graph without fusion become by it: those of one kernel share a step, at most eight.
/// Of many rows only those do whose kernel rounds rows.
std::size_t StepsOfFused(RuntimeGraph& graph, int rows) {
  std::map<std::string, std::size_t> layers;
  for (const RuntimeGraph::StepProfile& step : graph.Profile()) {
    if (step.type == "nn.Linear") ++layers[step.method];
  }
  std::size_t steps = 0;
  for (const auto& [method, count] : layers) {
    const bool shares = rows <= 16 || method.find("rounded rows") != std::string::npos;
    steps += shares ? (count + 7) / 8 : count;
  }
  return steps;
}

class FusedProductsTest : public testing::TestWithParam<Stored> {
 protected:
  void SetUp() override {
    if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "this CPU has no kernels for packed weights";
  }

  /// The layers of a seed, which read one input.
  static std::unique_ptr<pnnx::Graph> Layers(uint32_t seed, int rows, int features, int layers) {
    std::mt19937 random(seed);
    auto graph = std::make_unique<pnnx::Graph>();
    pnnx::Operand* const input = AddInput(*graph, 0, {rows, features});
    for (int i = 0; i < layers; ++i) {
      const std::string name = "layer" + std::to_string(i);
      pnnx::Operand* result = AddLinear(*graph, name, input, GetParam(), 1 + static_cast<int>(random() % 200), random);
      if (random() % 3 == 0) result = AddUnary(*graph, "nn.SiLU", name + "_silu", {result});
      AddOutput(*graph, i, result);
    }
    return graph;
  }
};

TEST_P(FusedProductsTest, EqualSeparateStepsBitByBit) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const int rows = 1 + static_cast<int>(random() % (seed % 4 == 0 ? 300 : 8));
    const int features = kGroup * (1 + static_cast<int>(random() % 12));
    const int layers = 2 + static_cast<int>(random() % 9);
    const NdArray x = RandomArray({rows, features}, seed);
    for (const Precision precision : {Precision::kHighest, Precision::kMedium}) {
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(std::to_string(layers) + " layers of " + std::to_string(rows) + "x" + std::to_string(features) +
                     ", " + std::to_string(threads) + " threads, seed " + std::to_string(seed));
        std::vector<std::vector<NdArray>> results;
        std::size_t fused_steps = 0;
        std::size_t wanted_steps = 0;
        for (const bool fuse : {true, false}) {
          BuildOptions options;
          options.precision = precision;
          options.num_threads = threads;
          options.fuse_operators = fuse;
          RuntimeGraph graph = Built(Layers(seed, rows, features, layers), options);
          graph.set_input("pnnx_input_0", x);
          graph.Run();
          for (const NdArray& array : graph.outputs()) results.emplace_back().push_back(array.Clone());
          const std::size_t steps = ProductsOfSteps(graph).size();
          if (fuse) {
            fused_steps = steps;
          } else {
            EXPECT_EQ(steps, layers);
            wanted_steps = StepsOfFused(graph, rows);
          }
        }
        EXPECT_EQ(fused_steps, wanted_steps);
        const std::size_t count = results.size() / 2;
        for (std::size_t i = 0; i < count; ++i) {
          const NdArray& fused = results[i].front();
          const NdArray& apart = results[count + i].front();
          ASSERT_EQ(fused.shape(), apart.shape());
          EXPECT_EQ(std::memcmp(fused.raw(), apart.raw(), static_cast<std::size_t>(fused.size()) * sizeof(float)), 0)
              << "layer " << i;
        }
      }
    }
  }
}

/// An activation changes bits only if it is computed elsewhere, so a layer with a residual is compared by its steps.
TEST_P(FusedProductsTest, LayersThatReadMoreThanTheInputStayApart) {
  std::mt19937 random(5);
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const x = AddInput(*graph, 0, {2, 64});
  const auto add = [&](const char* name, pnnx::Operand* input) {
    return AddLinear(*graph, name, input, GetParam(), 64, random);
  };
  pnnx::Operand* const a = add("a", x);
  pnnx::Operand* const residual = AddExpression(*graph, "sum", "add(@0,@1)", {add("b", x), x});
  pnnx::Operand* const c = add("c", AddUnary(*graph, "nn.Tanh", "tanh", {x}));
  pnnx::Operand* const d = add("d", x);
  int number = 0;
  for (pnnx::Operand* result : {a, residual, c, d}) AddOutput(*graph, number++, result);
  RuntimeGraph built = Built(std::move(graph));
  built.set_input("pnnx_input_0", RandomArray({2, 64}, 1));
  built.Run();
  EXPECT_EQ(ProductsOfSteps(built), (std::vector<int>{2, 1, 1}));
}

TEST_P(FusedProductsTest, SessionsTogether) {
  const RuntimeGraph graph = Built(Layers(3, 1, 64, 4));
  std::vector<Session> sessions;
  std::vector<Session*> all;
  std::vector<std::map<std::string, NdArray>> inputs;
  for (uint32_t i = 0; i < 5; ++i) {
    sessions.push_back(graph.NewSession());
    inputs.push_back({{"pnnx_input_0", RandomArray({1, 64}, i)}});
  }
  for (Session& session : sessions) all.push_back(&session);
  const std::vector<std::vector<NdArray>> together = Session::RunTogether(all, inputs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Session alone = graph.NewSession();
    const std::vector<NdArray> expected = alone.Run(inputs[i]);
    ASSERT_EQ(together[i].size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(together[i][k].shape(), expected[k].shape());
      for (int64_t j = 0; j < expected[k].size(); ++j) {
        ASSERT_NEAR(together[i][k].data<float>()[j], expected[k].data<float>()[j], 1e-3) << "layer " << k;
      }
    }
  }
}

std::string WeightName(const testing::TestParamInfo<Stored>& info) {
  return info.param == Stored::kFloat32 ? "float32" : info.param == Stored::kInt8 ? "int8" : "int4";
}

INSTANTIATE_TEST_SUITE_P(Weights, FusedProductsTest, testing::Values(Stored::kFloat32, Stored::kInt8, Stored::kInt4),
                         WeightName);

}  // namespace
}  // namespace kuiper_infer
