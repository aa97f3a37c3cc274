// SPDX-License-Identifier: MIT
// Unusual models and numbers: an error or a right result, in bounded time and memory.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NdArray Numbers(const Shape& shape, const std::vector<float>& values) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i)
    array.data<float>()[i] = values[static_cast<std::size_t>(i) % values.size()];
  return array;
}

/// Returns the seconds that the body takes. Tests time a tenth of their work to get this machine's limit for the whole.
template <class Body>
double SecondsOf(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::unique_ptr<pnnx::Graph> ChainOf(int operators, const std::string& type) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 4});
  for (int i = 0; i < operators; ++i) {
    x = AddUnary(*source, type, "op" + std::to_string(i), {x});
    if (type == "torch.flip") x->producer->params["dims"] = std::vector<int>{1};
  }
  AddOutput(*source, 0, x);
  return source;
}

TEST(DenialTest, ChainsOfAHundredThousandOperatorsTakeLinearTime) {
  for (const std::string type : {"F.relu", "torch.flip"}) {
    std::vector<float> result;
    const double tenth = SecondsOf([&] { RunOnce(ChainOf(10000, type), Numbers({1, 4}, {1, 2, 3, 4})); });
    const double whole = SecondsOf([&] { result = RunOnce(ChainOf(100000, type), Numbers({1, 4}, {1, 2, 3, 4})); });
    EXPECT_THAT(result, testing::ElementsAre(1, 2, 3, 4));
    EXPECT_LT(whole, 40 * tenth + 1) << type;
  }
}

TEST(DenialTest, AnOperandOfManyReadersAndAnOperatorOfManyInputs) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 4});
  std::vector<pnnx::Operand*> parts;
  for (int i = 0; i < 5000; ++i) parts.push_back(AddUnary(*source, "torch.neg", "neg" + std::to_string(i), {x}));
  pnnx::Operand* joined = AddUnary(*source, "torch.cat", "cat", parts);
  joined->producer->params["dim"] = 0;
  joined->shape = {5000, 4};
  AddOutput(*source, 0, joined);
  const std::vector<float> result = RunOnce(std::move(source), Numbers({1, 4}, {1, 2, 3, 4}));
  ASSERT_EQ(result.size(), 20000);
  EXPECT_EQ(result.back(), -4);
}

/// Returns a file in which one operator reads the outputs of `count` operators, in reverse order.
std::string WideFile(int count) {
  std::string text =
      "7767517\n" + std::to_string(count + 3) + " " + std::to_string(count + 2) + "\npnnx.Input in 0 1 x #x=(1,2)f32\n";
  std::string operands;
  std::string names;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "F.relu r" + number + " 1 1 x y" + number + " #y" + number + "=(1,2)f32\n";
    operands += " y" + number;
    names = " $t" + number + "=y" + number + " #y" + number + "=(1,2)f32" + names;
  }
  return text + "torch.cat cat " + std::to_string(count) + " 1" + operands + " z dim=0" + names +
         "\npnnx.Output out 1 0 z\n";
}

TEST(DenialTest, OperatorsOfManyNamedInputsAreReadInLinearTime) {
  const std::string path = testing::TempDir() + "wide_" + std::to_string(getpid()) + ".param";
  const auto read = [&](int count) {
    std::ofstream(path) << WideFile(count);
    pnnx::Graph graph;
    return SecondsOf([&] {
      ASSERT_EQ(graph.load(path, ""), 0) << graph.error();
      EXPECT_EQ(graph.ops.back()->inputs.front()->producer->inputnames.back(), "t" + std::to_string(count - 1));
    });
  };
  const double tenth = read(4000);
  EXPECT_LT(read(40000), 40 * tenth + 1);
  std::remove(path.c_str());
}

TEST(DenialTest, ModelsOfManyInputsAndOutputsTakeLinearTime) {
  const auto run = [&](int count) {
    auto source = std::make_unique<pnnx::Graph>();
    for (int i = 0; i < count; ++i) AddOutput(*source, i, AddInput(*source, i, {1}));
    return SecondsOf([&] {
      RuntimeGraph graph(std::move(source));
      graph.Build();
      const std::vector<std::string> names = graph.input_names();
      for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(graph.input_spec(names[i]).shape, (Shape{1}));
        graph.set_input(names[i], Numbers({1}, {static_cast<float>(i)}));
      }
      graph.Run();
      const std::vector<NdArray> outputs = graph.outputs();
      ASSERT_EQ(outputs.size(), names.size());
      EXPECT_EQ(outputs.back().data<float>()[0], static_cast<float>(count - 1));
    });
  };
  const double tenth = run(3000);
  EXPECT_LT(run(30000), 40 * tenth + 1);
}

TEST(DenialTest, ExpressionsNestedTenThousandDeepAreRefused) {
  std::string expression;
  for (int i = 0; i < 10000; ++i) expression += "neg(";
  expression += "@0" + std::string(10000, ')');
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 4});
  AddOutput(*source, 0, AddExpression(*source, "deep", expression, {x}));
  RuntimeGraph graph(std::move(source));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }),
              testing::AllOf(HasSubstr("deep"), HasSubstr("nested")));
}

TEST(DenialTest, ExpressionsNestedAsDeepAsAllowedAreComputedByManyThreads) {
  constexpr int kLevels = 900;  // an operand of each level waits for the inner levels
  std::string expression;
  for (int i = 0; i < kLevels; ++i) expression += "add(@0,";
  expression += "@0" + std::string(kLevels, ')');
  const Shape shape{7, 1000};
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {7, 1000});
  AddOutput(*source, 0, AddExpression(*source, "deep", expression, {x}));
  RuntimeGraph graph(std::move(source));
  graph.set_num_threads(4);
  graph.Build();
  graph.set_input("pnnx_input_0", Numbers(shape, {1, 2, 3}));
  graph.Run();
  const NdArray output = graph.outputs().front();
  ASSERT_EQ(output.shape(), shape);
  for (int64_t i = 0; i < output.size(); ++i) {
    ASSERT_EQ(output.data<float>()[i], static_cast<float>((kLevels + 1) * (i % 3 + 1))) << i;
  }
}

/// 3x3 convolutions on many channels go by Winograd's algorithm, whose sums would turn one infinity into many NaN: what
/// lies far from it has to stay.
TEST(DenialTest, PaddingOfAnEmptyArrayTakesNoTime) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* padded = AddUnary(*source, "F.pad", "pad", {AddInput(*source, 0, {1, 3, 4, 0})});
  const int most = 1 << 30;  // more than that and the strides would have more bytes than can be counted
  padded->producer->params["pad"] = std::vector<int>{0, 0, 0, most, 0, most};  // 2^60 rows of no element
  padded->has_shape = false;
  AddOutput(*source, 0, padded);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {1, 3, 4, 0}));
  graph.Run();
  EXPECT_EQ(graph.outputs().front().shape(), (Shape{1, int64_t{3} + most, int64_t{4} + most, 0}));
}

TEST(DenialTest, NotANumberStaysNearWhereItIs) {
  for (const float odd : {kNan, kInfinity, -kInfinity}) {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* x = AddInput(*source, 0, {1, 16, 40, 40});
    x = AddConvolution(*source, "conv", x, 16, 3);
    AddOutput(*source, 0, AddUnary(*source, "F.silu", "silu", {x}));
    NdArray input = Numbers({1, 16, 40, 40}, {0.5F, -0.25F, 1});
    input.data<float>()[20 * 40 + 20] = odd;
    const std::vector<float> result = RunOnce(std::move(source), input);
    EXPECT_FALSE(std::isfinite(result[20 * 40 + 20])) << odd;
    constexpr int kReach = 8;
    for (int y = 0; y < 40; ++y) {
      for (int c = 0; c < 40; ++c) {
        const bool near = std::abs(y - 20) < kReach && std::abs(c - 20) < kReach;
        ASSERT_TRUE(near || std::isfinite(result[static_cast<std::size_t>(y * 40 + c)])) << y << " " << c;
      }
    }
  }
}

TEST(DenialTest, FunctionsOfInfinitiesAreThoseOfPyTorch) {
  const std::vector<float> odd{kNan, kInfinity, -kInfinity, 0};
  const auto apply = [&](const std::string& type) {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* x = AddInput(*source, 0, {1, 4});
    pnnx::Operand* y = AddUnary(*source, type, "f", {x});
    if (type == "F.softmax") y->producer->params["dim"] = 1;
    AddOutput(*source, 0, y);
    return RunOnce(std::move(source), Numbers({1, 4}, odd));
  };
  const std::vector<float> relu = apply("F.relu");
  EXPECT_TRUE(std::isnan(relu[0]));
  EXPECT_EQ(relu[1], kInfinity);
  EXPECT_EQ(relu[2], 0);
  const std::vector<float> sigmoid = apply("F.sigmoid");
  EXPECT_TRUE(std::isnan(sigmoid[0]));
  EXPECT_EQ(sigmoid[1], 1);
  EXPECT_NEAR(sigmoid[2], 0, 1e-30);
  const std::vector<float> softmax = apply("F.softmax");
  EXPECT_TRUE(std::all_of(softmax.begin(), softmax.end(), [](float v) { return std::isnan(v); }));
}

}  // namespace
}  // namespace kuiper_infer
