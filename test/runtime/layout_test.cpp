// SPDX-License-Identifier: MIT
// Operators between convolutions, whose images are channels-last, give the same results as for row-major images.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "planning/passes.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

constexpr int kChannels = 12;
constexpr int kHeight = 6;
constexpr int kWidth = 10;

struct Case {
  std::string type;
  std::map<std::string, pnnx::Parameter> params;
  std::map<std::string, std::vector<float>> attributes;
  std::vector<int> extents{kHeight, kWidth};  ///< of the result
};

std::ostream& operator<<(std::ostream& out, const Case& value) { return out << value.type; }

std::vector<float> PerChannel(float start, float step) {
  std::vector<float> values;
  for (int i = 0; i < kChannels; ++i) values.push_back(start + step * static_cast<float>(i % 5));
  return values;
}

pnnx::Operand* AddCase(pnnx::Graph& graph, const Case& tested, pnnx::Operand* x) {
  pnnx::Operand* result = AddUnary(graph, tested.type, "tested", {x});
  result->producer->params = tested.params;
  for (const auto& [name, values] : tested.attributes) {
    result->producer->attrs[name] = pnnx::Attribute({kChannels}, values);
  }
  std::copy(tested.extents.begin(), tested.extents.end(), result->shape.begin() + 2);
  return result;
}

NdArray RunAlone(const Case& tested, const NdArray& x) {
  auto model = std::make_unique<pnnx::Graph>();
  AddOutput(*model, 0, AddCase(*model, tested, AddInput(*model, 0, {x.shape().begin(), x.shape().end()})));
  RuntimeGraph graph(std::move(model));
  graph.Build();
  graph.set_input("pnnx_input_0", x);
  graph.Run();
  return graph.outputs().front().Clone();
}

class LayoutTest : public testing::TestWithParam<Case> {};

TEST_P(LayoutTest, ChannelsLastGivesTheSame) {
  if (!kernel::HasProductKernels(UsedUnits())) GTEST_SKIP() << "images stay row-major on this CPU";
  auto model = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*model, 0, {2, 3, kHeight, kWidth});
  pnnx::Operand* before = AddUnary(*model, "nn.SiLU", "before", {AddConvolution(*model, "a", input, kChannels, 3)});
  pnnx::Operand* tested = AddCase(*model, GetParam(), before);
  AddOutput(*model, 0, AddConvolution(*model, "b", tested, 5, 3));
  RuntimeGraph graph(std::move(model));
  graph.Build();
  NdArray x(RuntimeDataType::kTypeFloat32, {2, 3, kHeight, kWidth});
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
  graph.set_input("pnnx_input_0", x);
  graph.Forward(true);

  const Program program = PlanProgram(graph.get_topo_queues(), {x.spec()}, true, {});
  int seen = 0;
  for (const auto& [operand, symbol] : program.symbols) {
    if (operand->name != "before_out" && operand->name != "tested_out") continue;
    ++seen;
    ASSERT_NE(symbol.slot(), nullptr) << operand->name;
    EXPECT_FALSE(program.slots[static_cast<std::size_t>(*symbol.slot())].spec.contiguous()) << operand->name;
  }
  ASSERT_EQ(seen, 2);
  const NdArray found = graph.operand_array("tested_out");
  const NdArray expected = RunAlone(GetParam(), graph.operand_array("before_out"));
  ASSERT_EQ(found.shape(), expected.shape());
  for (int64_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 1e-5) << i;
  }
}

const std::vector<int> kTwoByThree{2, 3};
const std::vector<float> kWeight = PerChannel(0.5F, 0.25F);
const std::vector<float> kBias = PerChannel(-1, 0.5F);

INSTANTIATE_TEST_SUITE_P(
    All, LayoutTest,
    testing::Values(
        Case{"nn.BatchNorm2d",
             {{"affine", true}, {"eps", 1e-5F}, {"num_features", kChannels}},
             {{"weight", kWeight}, {"bias", kBias}, {"running_mean", kBias}, {"running_var", kWeight}}},
        Case{"nn.GroupNorm",
             {{"affine", true}, {"eps", 1e-5F}, {"num_channels", kChannels}, {"num_groups", 3}},
             {{"weight", kWeight}, {"bias", kBias}}},
        Case{"nn.InstanceNorm2d", {{"affine", false}, {"eps", 1e-5F}, {"num_features", kChannels}}, {}},
        Case{"nn.MaxPool2d", {{"kernel_size", kTwoByThree}, {"stride", kTwoByThree}}, {}, {3, 3}},
        Case{"nn.AvgPool2d", {{"kernel_size", kTwoByThree}, {"stride", kTwoByThree}}, {}, {3, 3}},
        Case{"nn.AdaptiveAvgPool2d", {{"output_size", std::vector<int>{4, 3}}}, {}, {4, 3}},
        Case{"nn.ReflectionPad2d", {{"padding", std::vector<int>{1, 2, 0, 1}}}, {}, {kHeight + 1, kWidth + 3}},
        Case{"nn.ReplicationPad2d", {{"padding", std::vector<int>{1, 2, 0, 1}}}, {}, {kHeight + 1, kWidth + 3}},
        Case{"nn.ZeroPad2d", {{"padding", std::vector<int>{1, 2, 0, 1}}}, {}, {kHeight + 1, kWidth + 3}},
        Case{"nn.Upsample", {{"mode", "nearest"}, {"size", std::vector<int>{2 * kHeight, 25}}}, {}, {2 * kHeight, 25}},
        Case{"nn.Upsample",
             {{"align_corners", false}, {"mode", "bilinear"}, {"size", std::vector<int>{9, 25}}},
             {},
             {9, 25}}),
    [](const auto& param) {
      const std::string& type = param.param.type;
      const auto mode = param.param.params.find("mode");
      return type.substr(3) + (mode == param.param.params.end() ? "" : "_" + mode->second.s);
    });

}  // namespace
}  // namespace kuiper_infer
