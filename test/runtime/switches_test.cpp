// SPDX-License-Identifier: MIT
// The switches of BuildOptions, and the environment variables for switches that a program leaves unset.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "kernel/convolution/choose_method.hpp"
#include "kernel/product/product_kernels.hpp"
#include "operation/weights/packed_weight.hpp"
#include "planning/passes.hpp"
#include "runtime/built_graph.hpp"
#include "runtime/graph_building.hpp"
#include "utils/environment_variable.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using test::EnvironmentVariable;

/// Returns two convolutions with activations, their concatenation, and a third convolution.
RuntimeGraph MakeGraph(const BuildOptions& options = {}) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* input = AddInput(*source, 0, {1, 8, 30, 30});
  pnnx::Operand* a = AddUnary(*source, "nn.ReLU", "relu_a", {AddConvolution(*source, "a", input, 16, 3)});
  pnnx::Operand* b = AddUnary(*source, "nn.ReLU", "relu_b", {AddConvolution(*source, "b", a, 16, 3)});
  pnnx::Operand* both = AddUnary(*source, "torch.cat", "cat", {a, b});
  both->producer->params["dim"] = 1;
  both->shape[1] = 32;
  AddOutput(*source, 0, AddConvolution(*source, "c", both, 8, 3));
  RuntimeGraph graph(std::move(source));
  graph.set_build_options(options);
  return graph;
}

struct Outcome {
  std::vector<RuntimeGraph::StepProfile> steps;
  std::vector<float> numbers;

  std::size_t count(const std::string& type) const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [&](const auto& step) { return step.type == type; }));
  }
  /// Returns the method of the first convolution.
  std::string method() const {
    const auto step = std::find_if(steps.begin(), steps.end(), [](const auto& each) { return each.name == "a"; });
    return step == steps.end() ? "no step" : step->method;
  }
};

Outcome RunBuilt(RuntimeGraph& graph) {
  graph.Build();
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, 8, 30, 30});
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
  graph.set_input(graph.input_names().front(), x);
  Outcome outcome;
  outcome.steps = graph.Profile();
  const NdArray y = graph.outputs().front();
  outcome.numbers.assign(y.data<float>(), y.data<float>() + y.size());
  return outcome;
}

/// Returns how many arrays a plan with these options writes directly into the concatenation's result.
int64_t CountPlaced(const BuildOptions& options) {
  RuntimeGraph graph = MakeGraph(options);
  graph.Build();
  const std::vector<TensorSpec> inputs{TensorSpec(RuntimeDataType::kTypeFloat32, {1, 8, 30, 30})};
  return CountPlaced(PlanGraph(graph.get_topo_queues(), inputs, false, MakePlanningContext(options)));
}

Outcome RunWith(const BuildOptions& options) {
  RuntimeGraph graph = MakeGraph(options);
  return RunBuilt(graph);
}

void ExpectClose(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  const float largest = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-4F * largest) << i;
}

/// Clears the switches' environment variables. Skips CPUs without the library's kernels, for which nothing is fused,
/// placed or forced.
class SwitchesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kernel::HasProductKernels(UsedUnits()))
      GTEST_SKIP() << "no methods to choose from on this CPU, or with this KUIPER_ISA";
  }

 private:
  EnvironmentVariable fusion_{"KUIPER_FUSION", ""};
  EnvironmentVariable placement_{"KUIPER_PLACEMENT", ""};
  EnvironmentVariable convolution_{"KUIPER_CONVOLUTION", ""};
};

TEST_F(SwitchesTest, FusionOffGivesTheSameInMoreSteps) {
  BuildOptions off;
  off.convolution_method = "rows";
  off.fuse_operators = false;
  BuildOptions on = off;
  on.fuse_operators = true;
  const Outcome apart = RunWith(off);
  const Outcome joined = RunWith(on);
  EXPECT_EQ(apart.count("nn.ReLU"), 2U);
  EXPECT_EQ(joined.count("nn.ReLU"), 0U);
  EXPECT_EQ(apart.numbers, joined.numbers);
}

TEST_F(SwitchesTest, PlacementOffGivesTheSameWithCopies) {
  BuildOptions off;
  off.place_results = false;
  BuildOptions on;
  on.place_results = true;
  EXPECT_EQ(CountPlaced(off), 0);
  EXPECT_EQ(CountPlaced(on), 2);
  EXPECT_EQ(RunWith(off).numbers, RunWith(on).numbers);
}

TEST_F(SwitchesTest, ForcedMethodsAreInTheProfile) {
  const Outcome chosen = RunWith({});
  std::vector<std::string> methods;
  for (const std::string& name : kernel::ForcibleMethods()) {
    BuildOptions options;
    options.convolution_method = name;
    const Outcome forced = RunWith(options);
    ExpectClose(forced.numbers, chosen.numbers);
    methods.push_back(forced.method());
  }
  EXPECT_EQ(methods, (std::vector<std::string>{"segments", "rows, input copied", "winograd2, input copied",
                                               "winograd4, input copied", "winograd6, input copied"}));
}

TEST_F(SwitchesTest, TheEnvironmentFillsWhatIsUnset) {
  const EnvironmentVariable fusion("KUIPER_FUSION", "0");
  const EnvironmentVariable placement("KUIPER_PLACEMENT", "0");
  const EnvironmentVariable convolution("KUIPER_CONVOLUTION", "winograd6");
  const Outcome unset = RunWith({});
  EXPECT_EQ(unset.count("nn.ReLU"), 2U);
  EXPECT_EQ(CountPlaced({}), 0);
  EXPECT_EQ(unset.method(), "winograd6, input copied");
  BuildOptions options;
  options.fuse_operators = true;
  options.place_results = true;
  options.convolution_method = "auto";
  const Outcome set = RunWith(options);
  EXPECT_EQ(set.count("nn.ReLU"), 0U);
  EXPECT_EQ(CountPlaced(options), 2);
  EXPECT_NE(set.method(), unset.method());
}

TEST_F(SwitchesTest, APartHasTheSwitchesOfItsWhole) {
  BuildOptions options;
  options.fuse_operators = false;
  options.convolution_method = "winograd2";
  RuntimeGraph whole = MakeGraph(options);
  whole.Init();
  const auto part = whole.Subgraph({"in0"}, {"relu_a_out"});
  const Outcome found = RunBuilt(*part);
  EXPECT_EQ(found.count("nn.ReLU"), 1U);
  EXPECT_EQ(found.method(), "winograd2, input copied");
}

TEST_F(SwitchesTest, UnknownNamesAreNamed) {
  const std::string expected = " is 'magic', expected segments, rows, winograd2, winograd4, winograd6, or auto";
  BuildOptions options;
  options.convolution_method = "magic";
  RuntimeGraph graph = MakeGraph(options);
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }), "the option convolution_method" + expected);
  EXPECT_FALSE(graph.Init());
  options.convolution_method = "auto";
  graph.set_build_options(options);
  EXPECT_TRUE(graph.Init()) << "nothing is lost by the refusal";

  const EnvironmentVariable convolution("KUIPER_CONVOLUTION", "magic");
  RuntimeGraph other = MakeGraph();
  EXPECT_FALSE(other.Init());
  EXPECT_EQ(other.last_error(), "environment variable KUIPER_CONVOLUTION" + expected);
  const EnvironmentVariable none("KUIPER_CONVOLUTION", "");
  const EnvironmentVariable fusion("KUIPER_FUSION", "no");
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { other.Build(); }),
            "environment variable KUIPER_FUSION is 'no', expected 0 or 1");
}

TEST_F(SwitchesTest, PlansOfOneGraphShareTheirPackedWeights) {
  TensorArgument weight;
  weight.SetValues(NdArray(RuntimeDataType::kTypeFloat32, {24, 16}));
  std::fill_n(weight.constant.data<float>(), weight.constant.size(), 1.0F);
  const PlanningContext first = MakePlanningContext({});
  const PlanningContext second = MakePlanningContext({});
  const kernel::ProductKernel& product = kernel::ChooseProduct(first.units, {{1, 24, 16}});
  const auto packed = PackLinearWeight(first, weight, product);
  EXPECT_EQ(PackLinearWeight(first, weight, product), packed);
  EXPECT_NE(PackMatrixWeight(first, weight, product), packed);
  EXPECT_NE(PackLinearWeight(second, weight, product), packed);
  EXPECT_NE(PackLinearWeight(PlanningContext(), weight, product), packed);
}

/// Scratch memory depends on the graph's number of threads, not on the machine's.
TEST(PlannedThreadsTest, ScratchMemoryFollowsTheNumberOfThreads) {
  const auto planned_bytes = [](int threads, const std::string& type) {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* input = AddInput(*source, 0, {1, 8, 256, 64});
    const std::vector<pnnx::Operand*> inputs(type == "torch.fft.fft" ? 1 : 3, input);
    AddOutput(*source, 0, AddUnary(*source, type, "op", inputs));
    RuntimeGraph graph(std::move(source));
    BuildOptions options;
    options.num_threads = threads;
    graph.set_build_options(options);
    graph.Build();
    return graph.report().planned_bytes;
  };
  for (const char* type : {"F.scaled_dot_product_attention", "torch.fft.fft"}) {
    const int64_t one = planned_bytes(1, type);
    const int64_t added = planned_bytes(2, type) - one;
    EXPECT_GT(added, 0) << type;
    EXPECT_EQ(planned_bytes(4, type), one + 3 * added) << type;
  }
}

}  // namespace
}  // namespace kuiper_infer
