// SPDX-License-Identifier: MIT
// Models that need more memory than their limit.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/memory_budget.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

std::unique_ptr<pnnx::Graph> Network(int extent) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*graph, 0, {1, 4, extent, extent});
  x = AddConvolution(*graph, "conv", x, 8, 3);
  AddOutput(*graph, 0, AddUnary(*graph, "F.relu", "relu", {x}));
  return graph;
}

/// Returns the error's text, or an empty text if there was no error.
std::string BuildWithin(std::unique_ptr<pnnx::Graph> source, int64_t bytes) {
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.max_memory_bytes = bytes;
  graph.set_build_options(options);
  try {
    graph.Build();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResource) << error.what();
    return error.what();
  }
  return {};
}

TEST(MemoryLimitTest, WeightsAndArraysCount) {
  EXPECT_EQ(BuildWithin(Network(32), 1 << 20), "");
  EXPECT_THAT(BuildWithin(Network(32), 1000), HasSubstr("1000 bytes"));         // the weights
  EXPECT_THAT(BuildWithin(Network(512), 1 << 20), HasSubstr("1048576 bytes"));  // the arrays
}

TEST(MemoryLimitTest, ARefusedBuildLosesNoWeights) {
  const NdArray input(RuntimeDataType::kTypeFloat32, {1, 4, 8, 8});
  std::fill_n(input.data<float>(), input.size(), 0.5F);
  const auto result = [&input](RuntimeGraph& graph) {
    graph.Build();
    graph.set_input("pnnx_input_0", input);
    graph.Run();
    return graph.outputs().front();
  };
  RuntimeGraph limited(Network(8));
  BuildOptions options;
  options.max_memory_bytes = 1000;
  limited.set_build_options(options);
  EXPECT_THROW(limited.Build(), Error);
  limited.set_build_options({});
  RuntimeGraph free(Network(8));
  const NdArray found = result(limited);
  const NdArray expected = result(free);
  for (int64_t i = 0; i < expected.size(); ++i) EXPECT_EQ(found.data<float>()[i], expected.data<float>()[i]) << i;
}

TEST(MemoryLimitTest, HoldsForLaterShapesAndConstants) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 1, -1, -1});
  AddOutput(*source, 0, AddUnary(*source, "F.softmax", "softmax", {x}));
  x->consumers.front()->params["dim"] = 3;
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.max_memory_bytes = 1 << 20;
  graph.set_build_options(options);
  graph.Build();
  const auto run = [&](int64_t extent) {
    const NdArray input(RuntimeDataType::kTypeFloat32, {1, 1, extent, extent});
    std::fill_n(input.data<float>(), input.size(), 1.0F);
    graph.set_input("pnnx_input_0", input);
    graph.Run();
  };
  run(64);
  EXPECT_THROW(run(2048), Error);
  run(65);
  for (int64_t extent = 100; extent < 140; ++extent) run(extent);  // old plans release their memory
}

TEST(MemoryLimitTest, MemoryKeptForOtherShapesMakesRoom) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, -1});
  AddOutput(*source, 0, AddUnary(*source, "F.relu", "relu", {x}));
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.max_memory_bytes = 1 << 20;
  graph.set_build_options(options);
  graph.Build();
  // Each plan takes half of the memory for its result and a little less for the copy, so that two plans do not fit.
  for (const int64_t extent : {120000, 120001, 120002, 120000}) {
    const NdArray input(RuntimeDataType::kTypeFloat32, {1, extent});
    std::fill_n(input.data<float>(), input.size(), 1.5F);
    graph.set_input("pnnx_input_0", input);
    graph.Run();
    const NdArray output = graph.outputs().front();
    EXPECT_EQ(output.shape(), Shape({1, extent}));
    EXPECT_EQ(output.data<float>()[extent - 1], 1.5F);
  }
}

/// Returns an operator on a (1, 4, 8, 8) image, or on a vector of 60 numbers.
std::unique_ptr<pnnx::Graph> Single(const std::string& type, bool vector,
                                    const std::map<std::string, pnnx::Parameter>& params) {
  auto graph = std::make_unique<pnnx::Graph>();
  const std::vector<int> shape = vector ? std::vector<int>{60} : std::vector<int>{1, 4, 8, 8};
  pnnx::Operand* x = AddUnary(*graph, type, "greedy", {AddInput(*graph, 0, shape)});
  x->producer->params = params;
  AddOutput(*graph, 0, x);
  return graph;
}

TEST(MemoryLimitTest, TablesOfAPlanCount) {
  const int many = 2000000000;
  const std::vector<int> size{many, 1};
  const int64_t limit = 1 << 20;
  const std::string expected = "operator 'greedy'";
  EXPECT_THAT(BuildWithin(Single("F.adaptive_avg_pool2d", false, {{"output_size", size}}), limit), HasSubstr(expected));
  EXPECT_THAT(BuildWithin(Single("F.interpolate", false, {{"size", size}, {"mode", "nearest"}}), limit),
              HasSubstr(expected));
  EXPECT_THAT(BuildWithin(Single("aten::fft_fft", true, {{"n", many}, {"dim", -1}}), limit), HasSubstr(expected));
  EXPECT_THAT(BuildWithin(Single("torch.combinations", true, {{"r", 20}, {"with_replacement", false}}), limit),
              HasSubstr(expected));
}

TEST(MemoryLimitTest, CopiesOfOutputsCount) {
  RuntimeGraph graph(Single("Tensor.repeat", true, {{"sizes", std::vector<int>{5000}}}));
  BuildOptions options;
  options.max_memory_bytes = 3 * 60 * 5000 * sizeof(float) / 2;  // for one result, but not for two
  graph.set_build_options(options);
  graph.Build();
  graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {60}));
  graph.Run();
  EXPECT_THROW(graph.outputs(), Error);
}

/// An expanded zero takes no memory, but the tensors of the classic interface are full copies.
TEST(MemoryLimitTest, CopiesAsTensorsAreWithinIt) {
  for (const bool debug : {false, true}) {
    RuntimeGraph graph(Single("Tensor.new_zeros", true, {{"size", std::vector<int>{1000, 1000}}}));
    BuildOptions options;
    options.max_memory_bytes = 1 << 20;
    graph.set_build_options(options);
    graph.Build();
    graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {60}));
    EXPECT_THROW(graph.Forward(debug), Error);
    graph.Run();
    EXPECT_THROW(graph.get_outputs("pnnx_output_0"), Error);
  }
}

TEST(MemoryLimitTest, OptionsComeBeforeInit) {
  RuntimeGraph graph(Network(8));
  ASSERT_TRUE(graph.Init());
  EXPECT_THROW(graph.set_build_options({}), Error);
}

TEST(MemoryLimitTest, AbsurdShapesAreRefusedWithoutALimit) {
  for (const int extent : {30000, 1 << 20, 2147483647}) {
    RuntimeGraph graph(Network(extent));
    EXPECT_THROW(graph.Build(), Error) << extent;
  }
}

/// The bytes of memory that the process has reserved for data; 0 if the system doesn't say.
int64_t ReservedBytes() {
#ifdef _WIN32
  return 0;
#endif
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  for (int field = 0; field < 6; ++field) file >> pages;
  return file ? pages * 4096 : 0;
}

/// The classic tensors of all operands together can be many times what a run needs.
TEST(MemoryLimitTest, OperandsThatNoProgramAsksForAreNotReserved) {
  if (ReservedBytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  constexpr int kOperators = 200;
  constexpr int64_t kBytes = int64_t{1} << 22;
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 1 << 20});
  for (int i = 0; i < kOperators; ++i) x = AddUnary(*source, "F.relu", "relu" + std::to_string(i), {x});
  AddOutput(*source, 0, x);
  RuntimeGraph graph(std::move(source));
  const int64_t before = ReservedBytes();
  graph.Build();
  EXPECT_LT(ReservedBytes() - before, kOperators * kBytes / 2);
  graph.operators();
  EXPECT_GT(ReservedBytes() - before, kOperators * kBytes);
}

/// Recorded shapes alone must neither reserve more than the limit nor refuse the model.
TEST(MemoryLimitTest, NotedShapesBeyondItAreNotReserved) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* y = AddUnary(*source, "F.relu", "relu", {AddInput(*source, 0, {1, 4})});
  y->shape = {1, 1 << 30};
  AddOutput(*source, 0, y);
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.max_memory_bytes = 1 << 20;
  graph.set_build_options(options);
  graph.Build();
  for (const auto& op : graph.operators()) {
    if (op->type == "pnnx.Output") continue;
    EXPECT_EQ(op->output_operands->datas.size(), op->name == "relu" ? 0 : 1) << op->name;
  }
  graph.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {1, 4}));
  graph.Run();
  EXPECT_EQ(graph.outputs().front().shape(), (Shape{1, 4}));
}

TEST(MemoryLimitTest, ABudgetGetsBackWhatArraysGive) {
  const auto budget = std::make_shared<MemoryBudget>(1000);
  {
    const BudgetScope scope(budget);
    const NdArray first(RuntimeDataType::kTypeFloat32, {200});
    EXPECT_EQ(budget->used(), 800);
    EXPECT_THROW(NdArray(RuntimeDataType::kTypeFloat32, {51}), Error);
    EXPECT_EQ(budget->used(), 800);
    const BudgetScope none(nullptr);
    EXPECT_NO_THROW(NdArray(RuntimeDataType::kTypeFloat32, {1000}));
  }
  EXPECT_EQ(budget->used(), 0);
  EXPECT_EQ(BudgetScope::Current(), nullptr);
}

}  // namespace
}  // namespace kuiper_infer
