// SPDX-License-Identifier: MIT
// Runs of several sessions at once; test/model/decoder_cases_test.cpp has those of decoders.
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/graph_building.hpp"
#include "runtime/state_models.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;
using Inputs = std::vector<std::map<std::string, NdArray>>;
using Results = std::vector<std::vector<NdArray>>;

constexpr int kWidth = 24;

std::vector<float> SomeNumbers(int count, int salt) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    numbers[static_cast<std::size_t>(i)] = static_cast<float>((i * 29 + salt) % 97) / 97 - 0.5F;
  return numbers;
}

pnnx::Operand* AddLinear(pnnx::Graph& graph, const std::string& name, pnnx::Operand* input) {
  pnnx::Operand* result = AddUnary(graph, "nn.Linear", name, {input});
  pnnx::Operator* op = result->producer;
  op->params["in_features"] = kWidth;
  op->params["out_features"] = kWidth;
  op->params["bias"] = true;
  op->attrs["weight"] = pnnx::Attribute({kWidth, kWidth}, SomeNumbers(kWidth * kWidth, 3));
  op->attrs["bias"] = pnnx::Attribute({kWidth}, SomeNumbers(kWidth, 5));
  return result;
}

/// y = second(relu(first(x + h))) + x, and h is the y of the run before. Residual and activation are fused.
RuntimeGraph Layers() {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const x = AddInput(*source, 0, {1, kWidth});
  pnnx::Operand* const h = AddInput(*source, 1, {1, kWidth});
  pnnx::Operand* const sum = AddExpression(*source, "sum", "add(@0,@1)", {x, h});
  pnnx::Operand* const inner = AddUnary(*source, "nn.ReLU", "relu", {AddLinear(*source, "first", sum)});
  pnnx::Operand* const y = AddExpression(*source, "residual", "add(@0,@1)", {AddLinear(*source, "second", inner), x});
  AddOutput(*source, 0, y);
  AddOutput(*source, 1, AddExpression(*source, "twice", "mul(@0,2.0)", {y}));
  BuildOptions options;
  options.states = {{"pnnx_output_0", "pnnx_input_1"}};
  RuntimeGraph graph(std::move(source));
  graph.set_build_options(options);
  graph.Build();
  return graph;
}

/// y = last(relu(left(x) * right(x))) + x, with any number of rows. There are no states.
RuntimeGraph LayersOfAnyRows(Precision precision = BuildOptions().precision) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* const x = AddInput(*source, 0, {-1, kWidth});
  pnnx::Operand* const product =
      AddExpression(*source, "product", "mul(@0,@1)", {AddLinear(*source, "left", x), AddLinear(*source, "right", x)});
  pnnx::Operand* const last = AddLinear(*source, "last", AddUnary(*source, "nn.ReLU", "relu", {product}));
  AddOutput(*source, 0, AddExpression(*source, "residual", "add(@0,@1)", {last, x}));
  BuildOptions options;
  options.precision = precision;
  RuntimeGraph graph(std::move(source));
  graph.set_build_options(options);
  graph.Build();
  return graph;
}

NdArray Rows(int64_t rows, int seed) {
  NdArray array(RuntimeDataType::kTypeFloat32, {rows, kWidth});
  const std::vector<float> numbers = SomeNumbers(static_cast<int>(array.size()), seed);
  std::copy(numbers.begin(), numbers.end(), array.data<float>());
  return array;
}

/// Sessions of a graph, with a twin of each that runs alone.
class Pairs {
 public:
  Pairs(const RuntimeGraph& graph, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      sessions_.push_back(graph.NewSession());
      twins_.push_back(graph.NewSession());
    }
    for (Session& session : sessions_) all.push_back(&session);
  }

  /// Runs the sessions together and their twins alone, and expects the same results.
  void Run(const Inputs& inputs, const RunOptions& options = {}) {
    const Results found = Session::RunTogether(all, inputs, options);
    ASSERT_EQ(found.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::vector<NdArray> wanted = twins_[i].Run(inputs[i]);
      ASSERT_EQ(found[i].size(), wanted.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) ExpectNear(found[i][k], wanted[k]);
      EXPECT_EQ(all[i]->Length(), twins_[i].Length());
    }
  }

  std::vector<Session*> all;

 private:
  std::vector<Session> sessions_;
  std::vector<Session> twins_;
};

class RunTogetherTest : public testing::TestWithParam<int> {};

TEST_P(RunTogetherTest, ProductsOfSeveralSessionsEqualThoseOfEach) {
  const RuntimeGraph graph = Layers();
  for (const std::size_t count : {1, 2, 3, 5, 8, 17}) {
    Pairs pairs(graph, count);
    pairs.all.front()->set_num_threads(GetParam());
    for (int step = 0; step < 3; ++step) {
      Inputs inputs;
      for (std::size_t i = 0; i < count; ++i) {
        inputs.push_back({{"pnnx_input_0", Rows(1, step * 31 + static_cast<int>(i))}});
      }
      pairs.Run(inputs);
    }
  }
}

TEST_P(RunTogetherTest, SessionsMayHaveInputsOfDifferentShapesAndStatesOfDifferentLengths) {
  for (const bool masked : {false, true}) {
    const RuntimeGraph graph = Built(Attention(true, masked));
    Pairs pairs(graph, 5);
    RunOptions options;
    options.num_threads = GetParam();
    for (const std::vector<int64_t>& counts :
         {std::vector<int64_t>{3, 1, 3, 20, 1}, {1, 1, 1, 1, 1}, {1, 2, 1, 2, 1}, {40, 1, 1, 1, 7}, {1, 1, 1, 1, 1}}) {
      Inputs inputs;
      for (const int64_t count : counts) inputs.push_back({{"x", Tokens(count, static_cast<int>(inputs.size()))}});
      pairs.Run(inputs, options);
    }
  }
}

TEST_P(RunTogetherTest, ProductsOfSessionsWithDifferentNumbersOfRows) {
  for (const Precision precision : {Precision::kMedium, Precision::kHigh, Precision::kHighest}) {
    const RuntimeGraph graph = LayersOfAnyRows(precision);
    Pairs pairs(graph, 6);
    RunOptions options;
    options.num_threads = GetParam();
    for (const std::vector<int64_t>& counts :
         {std::vector<int64_t>{32, 1, 1, 1, 1, 1}, {1, 1, 40, 1, 7, 1}, {1, 2, 3, 4, 5, 6}, {40, 40, 1, 1, 40, 1}}) {
      Inputs inputs;
      for (const int64_t count : counts) {
        inputs.push_back({{"pnnx_input_0", Rows(count, static_cast<int>(inputs.size()) * 13)}});
      }
      pairs.Run(inputs, options);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, RunTogetherTest, testing::Values(1, 2, 4));

TEST(RunTogetherTest, StatesWithAWindow) {
  const RuntimeGraph graph = Built(Attention(true, false, "window=6"));
  Pairs pairs(graph, 3);
  for (const int64_t count : {4, 1, 1, 1, 5, 1, 1}) {
    Inputs inputs;
    for (int i = 0; i < 3; ++i) inputs.push_back({{"x", Tokens(count + (i == 1 ? 1 : 0), i)}});
    pairs.Run(inputs);
  }
}

TEST(RunTogetherTest, SessionsThatCameLaterShareThePlan) {
  RuntimeGraph graph = Built(Attention(true));
  Session early = graph.NewSession();
  RunOn(early, Tokens(1, 1));
  for (int64_t count = 2; count < 8; ++count) {  // plans of other prompts drive the first one out of the graph's list
    Session other = graph.NewSession();
    RunOn(other, Tokens(count, 1));
  }
  Session late = graph.NewSession();
  RunOn(late, Tokens(1, 2));
  EXPECT_EQ(graph.report().plans, 7);
}

TEST(RunTogetherTest, AFailedRunLeavesAllStates) {
  const RuntimeGraph graph = Built(Attention(true));
  Pairs pairs(graph, 3);
  const Inputs inputs = {{{"x", Tokens(2, 1)}}, {{"x", Tokens(1, 2)}}, {{"x", Tokens(2, 3)}}};
  pairs.Run(inputs);
  EXPECT_THROW(Session::RunTogether(pairs.all, inputs, Cancelled()), Error);
  RunOptions over;
  over.deadline = std::chrono::steady_clock::now();
  EXPECT_THAT(ErrorText(ErrorCode::kDeadline, [&] { Session::RunTogether(pairs.all, inputs, over); }),
              HasSubstr("its deadline has passed"));
  pairs.Run(inputs);
}

TEST(RunTogetherTest, ARunThatIsCancelledOnTheWayLeavesAllStates) {
  const RuntimeGraph graph = Layers();
  Pairs pairs(graph, 3);
  const Inputs inputs = {
      {{"pnnx_input_0", Rows(1, 1)}}, {{"pnnx_input_0", Rows(1, 2)}}, {{"pnnx_input_0", Rows(1, 3)}}};
  pairs.Run(inputs);
  RunOptions late;
  late.cancel.emplace();
  late.progress = [&](const RunProgress& progress) {
    if (progress.name == "first") late.cancel->Cancel();
  };
  EXPECT_THAT(ErrorText(ErrorCode::kCancelled, [&] { Session::RunTogether(pairs.all, inputs, late); }),
              HasSubstr("it was cancelled"));
  pairs.Run(inputs);
}

TEST(RunTogetherTest, ProgressIsThatOfTheFirstSession) {
  const RuntimeGraph graph = LayersOfAnyRows();
  Pairs pairs(graph, 3);
  const Inputs inputs = {
      {{"pnnx_input_0", Rows(2, 1)}}, {{"pnnx_input_0", Rows(9, 2)}}, {{"pnnx_input_0", Rows(1, 3)}}};
  std::vector<std::string> names;
  RunOptions options;
  options.cancel.emplace();
  options.progress = [&](const RunProgress& progress) {
    names.push_back(progress.name);
    EXPECT_EQ(progress.done, names.size());
    if (progress.name == "left") options.cancel->Cancel();
  };
  EXPECT_THAT(ErrorText(ErrorCode::kCancelled, [&] { Session::RunTogether(pairs.all, inputs, options); }),
              HasSubstr("it was cancelled"));
  EXPECT_THAT(names, testing::ElementsAre("left"));
  names.clear();
  std::vector<std::string> alone;
  RunOptions note;
  note.progress = [&](const RunProgress& progress) { names.push_back(progress.name); };
  pairs.Run(inputs, note);
  note.progress = [&](const RunProgress& progress) { alone.push_back(progress.name); };
  pairs.all.front()->Run(inputs.front(), note);
  EXPECT_EQ(names, alone);
}

TEST(RunTogetherTest, AStateBeyondTheMostNamesItsSession) {
  BuildOptions options;
  options.max_state_length = 5;
  const RuntimeGraph graph = Built(Attention(true), options);
  Pairs pairs(graph, 2);
  pairs.Run({{{"x", Tokens(2, 1)}}, {{"x", Tokens(4, 2)}}});
  EXPECT_THAT(ErrorText(ErrorCode::kInput,
                        [&] {
                          Session::RunTogether(pairs.all, {{{"x", Tokens(2, 1)}}, {{"x", Tokens(2, 1)}}});
                        }),
              HasSubstr("session 1: state 'past_k' would have 6 elements"));
  pairs.Run({{{"x", Tokens(1, 1)}}, {{"x", Tokens(1, 1)}}});
}

TEST(RunTogetherTest, FaultsAreNamed) {
  const RuntimeGraph graph = Built(Attention(true));
  const RuntimeGraph other = Built(Attention(true));
  Session a = graph.NewSession();
  Session b = graph.NewSession();
  Session stranger = other.NewSession();
  const std::map<std::string, NdArray> x = {{"x", Tokens(1, 1)}};
  const auto fault = [](ErrorCode code, const std::vector<Session*>& sessions, const Inputs& inputs) {
    return ErrorText(code, [&] { Session::RunTogether(sessions, inputs); });
  };
  EXPECT_TRUE(Session::RunTogether({}, Inputs{}).empty());
  EXPECT_THAT(fault(ErrorCode::kInput, {&a, &b}, {x}), HasSubstr("there are 1 sets of inputs for 2 sessions"));
  EXPECT_THAT(fault(ErrorCode::kState, {&a, &a}, {x, x}), HasSubstr("session 1: the session is in the list twice"));
  EXPECT_THAT(fault(ErrorCode::kState, {&a, &stranger}, {x, x}),
              HasSubstr("session 1: the session is of another model"));
  EXPECT_THAT(fault(ErrorCode::kInput, {&a, nullptr}, {x, x}), HasSubstr("session 1: the session is null"));
  EXPECT_THAT(fault(ErrorCode::kInput, {&a, &b}, {x, {{"z", Tokens(1, 1)}}}), HasSubstr("session 1: "));
  EXPECT_THAT(fault(ErrorCode::kInput, {&a, &b}, {x, {}}), HasSubstr("session 1: input 'x' is not set"));
  EXPECT_EQ(Session::RunTogether({&a, &b}, {x, x}).size(), 2U);
}

}  // namespace
}  // namespace kuiper_infer
