// SPDX-License-Identifier: MIT
// Which steps of several runs become one call. run_together_test of test/runtime compares the results of such runs.
#include "planning/joint_program.hpp"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning/passes.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

using testing::ElementsAre;

constexpr int kWidth = 24;
constexpr int64_t kSeveral = 40;  ///< rows of which layers of one input don't share a step

pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
  pnnx::Operator* op = result->producer;
  op->params["in_features"] = kWidth;
  op->params["out_features"] = kWidth;
  op->params["bias"] = false;
  op->attrs["weight"] = pnnx::Attribute({kWidth, kWidth}, std::vector<float>(kWidth * kWidth, 0.5F));
  return result;
}

/// Two layers read the input, and a third one the product of their results.
class JointProgramTest : public testing::Test {
 protected:
  JointProgramTest() : graph_(Source()) {
    graph_.Build();
    context_.pieces = 3;  // no kernel rounds rows
  }

  /// `count` runs of `rows` rows.
  ProgramRuns Runs(int64_t rows, int64_t count) const {
    const TensorSpec x(RuntimeDataType::kTypeFloat32, {rows, kWidth});
    return {std::make_shared<const Program>(PlanProgram(graph_.get_topo_queues(), {x}, false, context_)), count};
  }

  /// For each call the operators of the steps that it makes, by entry of `runs`; "" for none.
  std::vector<std::vector<std::string>> Calls(const std::vector<ProgramRuns>& runs) const {
    std::vector<std::vector<std::string>> calls;
    for (const JointCall& call : JoinRuns(runs, context_).calls) {
      EXPECT_TRUE(call.call.run);
      std::vector<std::string>& names = calls.emplace_back();
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const Program& program = *runs[i].program;
        const bool none = call.steps[i] == JointCall::kNone;
        names.push_back(none ? "" : program.operators[program.steps[call.steps[i]].op]->name);
      }
    }
    return calls;
  }

  PlanningContext context_ = EnvironmentContext();

 private:
  static std::unique_ptr<pnnx::Graph> Source() {
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* const x = AddInput(*source, 0, {-1, kWidth});
    pnnx::Operand* const product = AddExpression(*source, "product", "mul(@0,@1)",
                                                 {AddLinear(*source, "left", x), AddLinear(*source, "right", x)});
    AddOutput(*source, 0, AddLinear(*source, "last", product));
    return source;
  }

  RuntimeGraph graph_;
};

TEST_F(JointProgramTest, RunsOfOneProgramShareAllProducts) {
  EXPECT_THAT(Calls({Runs(1, 3)}), ElementsAre(ElementsAre("left"), ElementsAre("last")));
  EXPECT_THAT(Calls({Runs(1, 1)}), ElementsAre());
}

TEST_F(JointProgramTest, RunsOfDifferentNumbersOfRowsShareProducts) {
  EXPECT_THAT(Calls({Runs(1, 1), Runs(5, 1)}), ElementsAre(ElementsAre("left", "left"), ElementsAre("last", "last")));
  EXPECT_THAT(Calls({Runs(5, 2), Runs(1, 7), Runs(3, 1)}),
              ElementsAre(ElementsAre("left", "left", "left"), ElementsAre("last", "last", "last")));
}

TEST_F(JointProgramTest, StepsThatDifferAreMadeForTheProgramsThatHaveThem) {
  EXPECT_THAT(Calls({Runs(1, 1), Runs(kSeveral, 1)}), ElementsAre(ElementsAre("last", "last")));
  EXPECT_THAT(Calls({Runs(kSeveral, 1), Runs(1, 2)}),
              ElementsAre(ElementsAre("", "left"), ElementsAre("last", "last")));
  EXPECT_THAT(Calls({Runs(kSeveral, 2), Runs(1, 2)}),
              ElementsAre(ElementsAre("left", ""), ElementsAre("", "left"), ElementsAre("right", ""),
                          ElementsAre("last", "last")));
}

TEST_F(JointProgramTest, ArraysHaveRoomForTheRowsOfAllRuns) {
  const JointProgram joint = JoinRuns({Runs(3, 2), Runs(1, 1)}, context_);
  const JointCall& last = joint.calls.back();
  constexpr int64_t kBytes = 7 * kWidth * 4;
  ASSERT_FALSE(last.outputs.empty());
  EXPECT_GE(last.outputs.front(), kBytes) << "behind the input";
  EXPECT_GE(last.workspace, last.outputs.front() + kBytes);
  EXPECT_GE(joint.scratch_bytes, last.end);
  EXPECT_GE(last.end, last.workspace);
}

}  // namespace
}  // namespace kuiper_infer
