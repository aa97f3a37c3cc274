// SPDX-License-Identifier: MIT
// Measurements of a graph's steps and runs.
#include "runtime/step_times.hpp"

#include <gtest/gtest.h>

#include "state_models.hpp"

namespace kuiper_infer {
namespace {

TEST(StepTimesTest, RunsBeginWithTheSameStatesAndLeaveThem) {
  BuildOptions options;
  options.max_state_length = 5;  // a second run of three tokens would exceed it
  RuntimeGraph graph = Built(Attention(true), options);
  graph.set_input("x", Tokens(2, 1));
  graph.Run();
  graph.set_input("x", Tokens(3, 2));
  EXPECT_FALSE(MeasureSteps(graph, 4).empty());
  EXPECT_FALSE(MeanSteps(graph, 4).empty());
  EXPECT_FALSE(FastestTrace(graph, 4).empty());
  EXPECT_GT(FastestRun(graph, 4), 0);
  EXPECT_GT(MeanRun(graph, 4), 0);
  graph.Run();
  Session session = graph.NewSession();
  session.Run({{"x", Tokens(2, 1)}});
  EXPECT_EQ(Numbers(graph.outputs().front()), Numbers(session.Run({{"x", Tokens(3, 2)}}).front()));
}

TEST(StepTimesTest, ASnapshotOfAGraphSetsASession) {
  RuntimeGraph graph = Built(Attention(true));
  graph.set_input("x", Tokens(4, 1));
  graph.Run();
  Session session = graph.NewSession();
  session.Restore(graph.SnapshotStates());
  EXPECT_EQ(session.Length(), 4);
  EXPECT_THROW(graph.RestoreStates(Built(Attention(true)).SnapshotStates()), Error);
  graph.RestoreStates(graph.NewSession().Snapshot());
  graph.Run();
  EXPECT_EQ(Numbers(graph.outputs().front()), Numbers(graph.NewSession().Run({{"x", Tokens(4, 1)}}).front()));
}

}  // namespace
}  // namespace kuiper_infer
