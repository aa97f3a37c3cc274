// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/run_options.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int kOperators = 12;

/// Returns a chain of sorts, which are not fused.
RuntimeGraph Chain() {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 8});
  for (int i = 0; i < kOperators; ++i) {
    x = AddUnary(*source, "torch.flip", "flip" + std::to_string(i), {x});
    x->producer->params["dims"] = std::vector<int>{1};
  }
  AddOutput(*source, 0, x);
  RuntimeGraph graph(std::move(source));
  graph.Build();
  const NdArray zeros(RuntimeDataType::kTypeFloat32, {1, 8});
  std::fill_n(zeros.data<float>(), 8, 0.0F);
  graph.set_input("pnnx_input_0", zeros);
  return graph;
}

TEST(RunOptionsTest, ProgressNamesEachStep) {
  RuntimeGraph graph = Chain();
  std::vector<std::string> names;
  RunOptions options;
  options.progress = [&](const RunProgress& progress) {
    names.push_back(progress.name);
    EXPECT_EQ(progress.type, "torch.flip");
    EXPECT_EQ(progress.done, names.size());
    EXPECT_EQ(progress.total, kOperators);
  };
  graph.Run(options);
  ASSERT_EQ(names.size(), kOperators);
  EXPECT_EQ(names.front(), "flip0");
}

TEST(RunOptionsTest, ARunIsCancelledBetweenItsSteps) {
  RuntimeGraph graph = Chain();
  RunOptions options;
  options.cancel.emplace();
  options.progress = [token = *options.cancel](const RunProgress& progress) {
    if (progress.done == 3) token.Cancel();
  };
  const std::string text = ErrorText(ErrorCode::kCancelled, [&] { graph.Run(options); });
  EXPECT_THAT(text, testing::AllOf(HasSubstr("'flip3'"), HasSubstr("step 4 of 12"), HasSubstr("cancelled")));
  ErrorText(ErrorCode::kState, [&] { graph.outputs(); });
  graph.Run();  // once more, undisturbed
  EXPECT_EQ(graph.outputs().front().size(), 8);
}

TEST(RunOptionsTest, AnotherThreadCancels) {
  RuntimeGraph graph = Chain();
  RunOptions options;
  options.cancel.emplace();
  std::thread other;
  options.progress = [&](const RunProgress& progress) {
    if (progress.done != 1) return;
    other = std::thread([token = *options.cancel] { token.Cancel(); });
    other.join();
  };
  ErrorText(ErrorCode::kCancelled, [&] { graph.Run(options); });
}

TEST(RunOptionsTest, ADeadlineEndsARun) {
  RuntimeGraph graph = Chain();
  RunOptions options;
  options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  ErrorText(ErrorCode::kDeadline, [&] { graph.Run(options); });
  options.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  graph.Run(options);
  EXPECT_EQ(graph.outputs().size(), 1);
}

TEST(RunOptionsTest, WhatTheCallbackThrowsReachesTheCaller) {
  RuntimeGraph graph = Chain();
  RunOptions options;
  options.progress = [](const RunProgress&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(graph.Run(options), std::runtime_error);
  graph.Run();
}

}  // namespace
}  // namespace kuiper_infer
