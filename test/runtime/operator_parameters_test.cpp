// SPDX-License-Identifier: MIT
// When the operators of a graph show their parameters, and what a program's changes to them do.
#include <atomic>
#include <memory>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/runtime/session.hpp"
#include "operation/binder.hpp"
#include "runtime/graph_builder.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

/// A parameter as a file gives it.
pnnx::Parameter InFile(const char* text) { return pnnx::Parameter::parse_from_string(text); }

/// y = clamp(x, -1, max), with `max` as a file gives it.
std::unique_ptr<pnnx::Graph> Clamp(const char* max) {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddUnary(*graph, "torch.clamp", "clamp", {AddInput(*graph, 0, {1, 2})});
  x->producer->params = {{"min", InFile("-1")}, {"max", InFile(max)}};
  AddOutput(*graph, 0, x);
  return graph;
}

const std::shared_ptr<RuntimeOperator>& Find(const Operators& operators, const std::string& name) {
  return *std::find_if(operators.begin(), operators.end(), [&](const auto& op) { return op->name == name; });
}

float ValueOfMax(const RuntimeGraph& graph) {
  return std::dynamic_pointer_cast<RuntimeParameterFloat>(Find(graph.operators(), "clamp")->params.at("max"))->value;
}

float Largest(RuntimeGraph& graph) {
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, 2});
  x.data<float>()[0] = -100;
  x.data<float>()[1] = 100;
  graph.set_input("pnnx_input_0", x);
  graph.Run();
  return graph.outputs().front().data<float>()[1];
}

TEST(OperatorParametersTest, AreValuesOfTheFileUntilAProgramLooks) {
  const auto file = Clamp("0.1");
  std::vector<std::string> warnings;
  const Operators operators = TranslateGraph(*file, warnings);
  const RuntimeOperator& clamp = *Find(operators, "clamp");
  EXPECT_TRUE(clamp.params.empty());
  ASSERT_NE(clamp.call, nullptr);
  EXPECT_EQ(clamp.call->params.at("max").Get<double>(), 0.1);
  EXPECT_EQ(clamp.call->params.at("min").Get<int64_t>(), -1);
}

TEST(OperatorParametersTest, AreShownAfterInitAndAfterBuild) {
  RuntimeGraph loaded(Clamp("0.1"));
  ASSERT_TRUE(loaded.Init());
  EXPECT_EQ(ValueOfMax(loaded), 0.1F);
  RuntimeGraph built(Clamp("0.1"));
  built.Build();
  EXPECT_EQ(ValueOfMax(built), 0.1F);
  RuntimeGraph sorted(Clamp("0.1"));
  sorted.Build();
  EXPECT_EQ(Find(sorted.get_topo_queues(), "clamp")->params.size(), 2U);
}

TEST(OperatorParametersTest, AreShownToAProgramThatAskedBeforeLoading) {
  RuntimeGraph graph(Clamp("0.1"));
  const Operators& operators = graph.operators();
  EXPECT_TRUE(operators.empty());
  graph.Build();
  EXPECT_EQ(Find(operators, "clamp")->params.size(), 2U);
}

TEST(OperatorParametersTest, ChangesBeforeBuildCount) {
  RuntimeGraph graph(Clamp("0.1"));
  ASSERT_TRUE(graph.Init());
  auto& params = Find(graph.operators(), "clamp")->params;
  std::dynamic_pointer_cast<RuntimeParameterFloat>(params.at("max"))->value = 2.5F;
  graph.Build();
  EXPECT_EQ(Largest(graph), 2.5F);
  EXPECT_EQ(ValueOfMax(graph), 2.5F);

  RuntimeGraph without(Clamp("0.1"));
  ASSERT_TRUE(without.Init());
  Find(without.operators(), "clamp")->params.erase("max");
  without.Build();
  EXPECT_EQ(Largest(without), 100.0F);
}

TEST(OperatorParametersTest, PartsOfAGraphHaveThemToo) {
  RuntimeGraph graph(Clamp("0.1"));
  ASSERT_TRUE(graph.Init());
  const auto before = graph.Subgraph({"in0"}, {"clamp_out"});
  std::dynamic_pointer_cast<RuntimeParameterFloat>(Find(graph.operators(), "clamp")->params.at("max"))->value = 3.0F;
  const auto after = graph.Subgraph({"in0"}, {"clamp_out"});
  before->Build();
  EXPECT_EQ(Largest(*before), 0.1F);
  EXPECT_EQ(ValueOfMax(*before), 0.1F);
  after->Build();
  EXPECT_EQ(Largest(*after), 3.0F);
  graph.Build();
  const auto copy = graph.Duplicate();
  EXPECT_EQ(Largest(*copy), 3.0F);
  EXPECT_EQ(ValueOfMax(*copy), 3.0F);
}

TEST(OperatorParametersTest, ADumpWritesThemAsAFileDoes) {
  RuntimeGraph graph(Clamp("3000000000"));
  ASSERT_TRUE(graph.Init());
  std::ostringstream stream;
  graph.Dump(stream);
  EXPECT_THAT(stream.str(), testing::AllOf(HasSubstr("    max=3000000000\n"), HasSubstr("    min=-1\n")));
}

TEST(OperatorParametersTest, AnIntegerThatNothingHoldsNamesItsOperator) {
  RuntimeGraph graph(Clamp("99999999999999999999"));
  EXPECT_THAT(
      ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }),
      testing::AllOf(HasSubstr("operator 'clamp' (torch.clamp): found 99999999999999999999"), HasSubstr("64 bits")));
  EXPECT_THAT(graph.last_error(), HasSubstr("64 bits"));
}

/// Gives its input. Its creator reads the parameters of the operators that read its result.
class FollowedLayer : public NonParamLayer {
 public:
  FollowedLayer() : NonParamLayer("Followed") {}
  using Layer::Forward;
  InferStatus Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    outputs = inputs;
    return InferStatus::kInferSuccess;
  }
  static ParseParameterAttrStatus Create(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer>& layer) {
    if (op->params.count("own") == 0 || op->output_operators.at("clamp")->params.count("max") == 0) {
      return ParseParameterAttrStatus::kParameterMissingUnknown;
    }
    layer = std::make_shared<FollowedLayer>();
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  }
};

const LayerRegistererWrapper kFollowed("test.Followed", FollowedLayer::Create);

TEST(OperatorParametersTest, AreShownToTheCreatorsOfAProgram) {
  auto file = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddUnary(*file, "test.Followed", "followed", {AddInput(*file, 0, {1, 2})});
  x->producer->params["own"] = 1;
  x = AddUnary(*file, "torch.clamp", "clamp", {x});
  x->producer->params = {{"min", -1}, {"max", 0.5F}};
  AddOutput(*file, 0, x);
  RuntimeGraph graph(std::move(file));
  graph.Build();
  EXPECT_EQ(Largest(graph), 0.5F);
}

TEST(OperatorParametersTest, ManyThreadsMayLookWhileOthersRunAndCut) {
  RuntimeGraph graph(Clamp("0.1"));
  graph.Build();
  constexpr int kThreads = 4;
  std::atomic<int> seen{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] { seen += ValueOfMax(graph) == 0.1F ? 1 : 0; });
    threads.emplace_back([&] { seen += Largest(*graph.Duplicate()) == 0.1F ? 1 : 0; });
    threads.emplace_back([&] {
      Session session = graph.NewSession();
      session.set_input("pnnx_input_0", NdArray(RuntimeDataType::kTypeFloat32, {1, 2}));
      session.Run();
      ++seen;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, 3 * kThreads);
}

}  // namespace
}  // namespace kuiper_infer
