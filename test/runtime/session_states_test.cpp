// SPDX-License-Identifier: MIT
// States of sessions: outputs that are inputs of the next run.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/state_models.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// h' = 0.5 h + x, as a recurrent layer would have it; the output is a tuple of (2 h', h').
std::string Recurrent(const std::string& state) {
  return Param({"pnnx.Input x 0 1 x #x=(?,4)f32", "pnnx.Input h 0 1 h " + state + " #h=(1,4)f32",
                "pnnx.Expression next 2 1 h x n expr=add(mul(@0,0.5),@1) #n=(1,4)f32",
                "pnnx.Expression twice 1 1 n y expr=mul(@0,2.0) #y=(1,4)f32", "prim::TupleConstruct both 2 1 y n t",
                "pnnx.Output out 1 0 t"});
}

/// Runs the attention model with caches that the caller carries from run to run.
class ByHand {
 public:
  explicit ByHand(bool masked) : graph_(Built(Attention(false, masked))) {}

  NdArray Run(const NdArray& tokens) {
    graph_.set_input("x", tokens);
    graph_.set_input("past_k", keys_);
    graph_.set_input("past_v", values_);
    graph_.Run();
    const std::vector<NdArray> outputs = graph_.outputs();
    keys_ = outputs[1];
    values_ = outputs[2];
    return outputs[0];
  }
  const NdArray& keys() const { return keys_; }

 private:
  RuntimeGraph graph_;
  NdArray keys_{RuntimeDataType::kTypeFloat32, {1, 2, 0, 8}};
  NdArray values_{RuntimeDataType::kTypeFloat32, {1, 2, 0, 8}};
};

class GrowingStateTest : public testing::TestWithParam<bool> {};

TEST_P(GrowingStateTest, RunsEqualThoseWithStatesCarriedByHand) {
  const RuntimeGraph graph = Built(Attention(true, GetParam()));
  EXPECT_THAT(graph.input_names(), ElementsAre("x"));
  EXPECT_THAT(graph.output_names(), ElementsAre("out"));
  Session session = graph.NewSession();
  ByHand by_hand(GetParam());
  int64_t length = 0;
  int seed = 0;
  for (const int64_t count : {3, 1, 1, 5, 1, 1, 1, 17, 1, 40, 1}) {  // beyond the first capacity
    const NdArray tokens = Tokens(count, ++seed);
    ExpectNear(RunOn(session, tokens), by_hand.Run(tokens));
    length += count;
    EXPECT_EQ(session.Length(), length);
  }
  EXPECT_EQ(session.Run({{"x", Tokens(1, 1)}}).size(), 1U);
}

TEST_P(GrowingStateTest, OnePlanServesAllLengths) {
  RuntimeGraph graph = Built(Attention(true, GetParam()));
  EXPECT_EQ(graph.report().plans, 1) << "Build has made it";
  for (int i = 0; i < 20; ++i) {
    graph.set_input("x", Tokens(1, i));
    graph.Run();
    for (const std::string& warning : graph.report().warnings) EXPECT_THAT(warning, testing::Not(HasSubstr("length")));
  }
  EXPECT_EQ(graph.report().plans, 1);
}

INSTANTIATE_TEST_SUITE_P(Masks, GrowingStateTest, testing::Bool());

TEST(SessionStatesTest, TruncatedAndRestoredStatesGiveTheBitsOfAFreshRun) {
  const RuntimeGraph graph = Built(Attention(true));
  Session session = graph.NewSession();
  Session fresh = graph.NewSession();
  RunOn(session, Tokens(4, 1));
  RunOn(fresh, Tokens(4, 1));
  const StateSnapshot snapshot = session.Snapshot();
  RunOn(session, Tokens(3, 2));
  session.Truncate(4);
  EXPECT_EQ(session.Length(), 4);
  EXPECT_EQ(Numbers(RunOn(session, Tokens(1, 3))), Numbers(RunOn(fresh, Tokens(1, 3))));
  session.Restore(snapshot);
  EXPECT_EQ(session.Length(), 4);
  Session other = graph.NewSession();
  other.Restore(snapshot);
  RunOn(session, Tokens(2, 9));
  EXPECT_EQ(other.Length(), 4);
  other.Reset();
  EXPECT_EQ(other.Length(), 0);
  Session empty = graph.NewSession();
  EXPECT_EQ(Numbers(RunOn(other, Tokens(2, 5))), Numbers(RunOn(empty, Tokens(2, 5))));
}

TEST(SessionStatesTest, SessionsInThreadsGiveTheBitsOfOneAlone) {
  const RuntimeGraph graph = Built(Attention(true, true));
  const auto run = [&graph](int seed) {
    Session session = graph.NewSession();
    std::vector<float> all;
    for (int i = 0; i < 12; ++i) {
      const std::vector<float> numbers = Numbers(RunOn(session, Tokens(1 + (i + seed) % 3, seed + i)));
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
  };
  constexpr int kThreads = 16;
  std::vector<std::vector<float>> alone(kThreads);
  std::vector<std::vector<float>> together(kThreads);
  for (int i = 0; i < kThreads; ++i) alone[static_cast<std::size_t>(i)] = run(i);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = run(i); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(SessionStatesTest, AFailedRunLeavesTheStates) {
  const RuntimeGraph graph = Built(Attention(true));
  Session session = graph.NewSession();
  Session twin = graph.NewSession();
  RunOn(session, Tokens(3, 1));
  RunOn(twin, Tokens(3, 1));
  EXPECT_THROW(session.Run({{"x", Tokens(2, 2)}}, Cancelled()), Error);
  EXPECT_EQ(session.Length(), 3);
  EXPECT_EQ(Numbers(RunOn(session, Tokens(1, 4))), Numbers(RunOn(twin, Tokens(1, 4))));
}

TEST(SessionStatesTest, AStateBeyondTheMostIsRefusedAndStays) {
  BuildOptions options;
  options.max_state_length = 5;
  const RuntimeGraph graph = Built(Attention(true), options);
  Session session = graph.NewSession();
  RunOn(session, Tokens(4, 1));
  EXPECT_THAT(ErrorText(ErrorCode::kInput, [&] { RunOn(session, Tokens(2, 1)); }),
              HasSubstr("state 'past_k' would have 6 elements along axis 2, at most max_state_length = 5 are allowed"));
  EXPECT_EQ(session.Length(), 4);
  RunOn(session, Tokens(1, 1));
  EXPECT_EQ(session.Length(), 5);
}

TEST(SessionStatesTest, AStateBeyondTheMemoryIsRefusedAndStays) {
  BuildOptions options;
  options.max_memory_bytes = 400'000;
  const RuntimeGraph graph = Built(Attention(true), options);
  Session session = graph.NewSession();
  const RuntimeGraph free = Built(Attention(true));
  Session twin = free.NewSession();
  int64_t length = 0;
  ErrorCode code = ErrorCode::kState;
  for (int i = 0; i < 1000 && code == ErrorCode::kState; ++i) {
    try {
      RunOn(session, Tokens(16, i));
      length += 16;
    } catch (const Error& error) {
      code = error.code();
    }
  }
  EXPECT_EQ(code, ErrorCode::kResource);
  EXPECT_GT(length, 0);
  EXPECT_EQ(session.Length(), length);
  session.Truncate(16);
  RunOn(twin, Tokens(16, 0));
  EXPECT_EQ(Numbers(RunOn(session, Tokens(16, 7))), Numbers(RunOn(twin, Tokens(16, 7))));
}

TEST(SessionStatesTest, ResultsMayGrowWithTheState) {
  const std::vector<std::string> rest = {
      "torch.cat join 2 1 p x k dim=2 #k=(1,2,?,8)f32", "F.scaled_dot_product_attention attend 3 1 k k k y",
      "pnnx.Expression twice 1 1 y z expr=mul(@0,2.0)", "pnnx.Output out 1 0 z", "pnnx.Output all 1 0 k"};
  std::vector<std::string> lines = {"pnnx.Input x 0 1 x #x=(1,2,?,8)f32",
                                    "pnnx.Input past 0 1 p state=1 #p=(1,2,?,8)f32"};
  lines.insert(lines.end(), rest.begin(), rest.end());
  RuntimeGraph graph = Built(Param(lines));
  lines[1] = "pnnx.Input past 0 1 p #p=(1,2,?,8)f32";
  RuntimeGraph by_hand = Built(Param(lines));
  NdArray past(RuntimeDataType::kTypeFloat32, {1, 2, 0, 8});
  for (const int64_t count : {3, 1, 1, 20, 1}) {
    const NdArray tokens = Tokens(count, static_cast<int>(past.shape()[2]));
    graph.set_input("x", tokens);
    graph.Run();
    by_hand.set_input("x", tokens);
    by_hand.set_input("past", past);
    by_hand.Run();
    past = by_hand.outputs()[1];
    ExpectNear(graph.outputs()[0], by_hand.outputs()[0]);
  }
  EXPECT_EQ(graph.report().plans, 3) << "for 3, 1 and 20 tokens";
}

TEST(SessionStatesTest, EveryOperandCanBeKept) {
  RuntimeGraph graph = Built(Attention(true, true));
  ByHand by_hand(true);
  for (const int64_t count : {3, 1, 2}) {
    const NdArray tokens = Tokens(count, 1);
    graph.set_input("x", tokens);
    graph.Forward(true);
    by_hand.Run(tokens);
    ExpectNear(graph.operand_array("k"), by_hand.keys());
    EXPECT_EQ(graph.operand_array("mask").shape(), (Shape{count, by_hand.keys().shape()[2]}));
  }
}

TEST(SessionStatesTest, PairsThatLookLikeStatesAreProposed) {
  const std::vector<RuntimeGraph::State> proposed = Built(Attention(false)).proposed_states();
  ASSERT_EQ(proposed.size(), 2U);
  EXPECT_EQ(proposed[0].input, "past_k");
  EXPECT_EQ(proposed[0].output, "k_out");
  EXPECT_EQ(proposed[0].axis, 2);
  EXPECT_TRUE(Built(Attention(true)).proposed_states().empty());
  EXPECT_TRUE(Built(Recurrent("")).proposed_states().empty());
}

TEST(SessionStatesTest, ASecondThreadInASessionIsRefused) {
  const RuntimeGraph graph = Built(Attention(true));
  Session session = graph.NewSession();
  std::string text;
  RunOptions options;
  options.progress = [&](const RunProgress& /*progress*/) {
    std::thread([&] { text = ErrorText(ErrorCode::kState, [&] { session.Truncate(0); }); }).join();
  };
  session.Run({{"x", Tokens(2, 1)}}, options);
  EXPECT_THAT(text, HasSubstr("the session is in use by another thread"));
  EXPECT_EQ(session.Length(), 2);
}

NdArray Row(float value) {
  NdArray array(RuntimeDataType::kTypeFloat32, {1, 4});
  std::fill_n(array.data<float>(), 4, value);
  return array;
}

float RunOn(Session& session, float value) { return *session.Run({{"x", Row(value)}}).front().data<float>(); }

TEST(SessionStatesTest, AReplacedStateIsTheOutputOfTheRunBefore) {
  for (const bool by_option : {false, true}) {
    BuildOptions options;
    if (by_option) options.states = {{"out.1", "h"}};
    const RuntimeGraph graph = Built(Recurrent(by_option ? "" : "state=1"), options);
    EXPECT_THAT(graph.input_names(), ElementsAre("x"));
    EXPECT_EQ(graph.output_specs("out").size(), 1U);
    Session session = graph.NewSession();
    EXPECT_EQ(RunOn(session, 1), 2);
    EXPECT_EQ(RunOn(session, 1), 3);
    const StateSnapshot snapshot = session.Snapshot();
    EXPECT_EQ(RunOn(session, 1), 3.5);
    EXPECT_THAT(ErrorText(ErrorCode::kState, [&] { session.Truncate(0); }),
                HasSubstr("state 'h' is replaced in each run and cannot be truncated"));
    session.Restore(snapshot);
    EXPECT_EQ(RunOn(session, 1), 3.5);
    session.set_input("h", Row(8));
    EXPECT_EQ(RunOn(session, 0), 8);
    session.Reset();
    EXPECT_EQ(RunOn(session, 1), 2);
  }
}

TEST(SessionStatesTest, ADuplicateHasTheStates) {
  const RuntimeGraph graph = Built(Recurrent("state=1"));
  const std::unique_ptr<RuntimeGraph> copy = graph.Duplicate();
  EXPECT_THAT(copy->input_names(), ElementsAre("x"));
  ASSERT_EQ(copy->states().size(), 1U);
  EXPECT_EQ(copy->states().front().input, "h");
  EXPECT_EQ(copy->states().front().output, "out.1");
  EXPECT_EQ(copy->states().front().axis, -1);
}

TEST(SessionStatesTest, FaultsInPairsAreNamed) {
  const auto fault = [](ErrorCode code, const std::string& param, const BuildOptions& options) {
    return ErrorText(code, [&] { Built(param, options); });
  };
  EXPECT_THAT(fault(ErrorCode::kGraph, Recurrent("state=7"), {}),
              HasSubstr("the state of input 'h' names the output '7', the model has 'out.0', 'out.1'"));
  EXPECT_THAT(fault(ErrorCode::kGraph, Recurrent("state=other"), {}), HasSubstr("names the output 'other'"));
  BuildOptions options;
  options.states = {{"out.1", "hh"}};
  EXPECT_THAT(fault(ErrorCode::kArgument, Recurrent(""), options), HasSubstr("names the input 'hh'"));
  options.states = {{"out.0", "h"}};
  EXPECT_THAT(fault(ErrorCode::kArgument, Recurrent("state=1"), options), HasSubstr("continues two outputs"));
  options.states = {{"1", "x"}};
  EXPECT_THAT(fault(ErrorCode::kArgument, Recurrent("state=1"), options),
              HasSubstr("is continued by two states, 'h' and 'x'"));
  const std::string narrow =
      Param({"pnnx.Input h 0 1 h state=0 #h=(1,4)f32", "torch.narrow part 1 1 h n dim=1 start=0 length=3 #n=(1,3)f32",
             "pnnx.Output out 1 0 n"});
  EXPECT_THAT(fault(ErrorCode::kGraph, narrow, {}),
              HasSubstr("state 'h' is float32 (1,4) as an input, and float32 (1,3) as the output 'out'"));
}

TEST(SessionStatesTest, AnUnknownFirstShapeIsAnError) {
  const RuntimeGraph graph = Built(Param({"pnnx.Input x 0 1 x #x=(?,4)f32", "pnnx.Input h 0 1 h state=0 #h=(?,4)f32",
                                          "pnnx.Expression next 2 1 h x n expr=add(@0,@1) #n=(?,4)f32",
                                          "pnnx.Expression twice 1 1 n y expr=mul(@0,2.0)", "pnnx.Output out 1 0 n",
                                          "pnnx.Output twice_out 1 0 y"}));
  Session session = graph.NewSession();
  EXPECT_THAT(
      ErrorText(ErrorCode::kInput,
                [&] {
                  session.Run({{"x", Row(1)}});
                }),
      HasSubstr("the first value of state 'h' has the shape (?,4), of which the extent is not known along axis 0"));
  session.set_input("h", Row(2));
  EXPECT_EQ(RunOn(session, 1), 6);
}

class StateFileTest : public testing::Test {
 protected:
  ~StateFileTest() override { std::remove(path_.c_str()); }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void Write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  const std::string path_ = testing::TempDir() + "kuiper_states_" + std::to_string(::getpid());
};

TEST_F(StateFileTest, GivesTheBitsOfTheSessionThatSavedIt) {
  const RuntimeGraph graph = Built(Attention(true));
  Session session = graph.NewSession();
  RunOn(session, Tokens(5, 1));
  session.Save(path_);
  const RuntimeGraph again = Built(Attention(true));
  Session loaded = again.NewSession();
  loaded.Load(path_);
  EXPECT_EQ(loaded.Length(), 5);
  EXPECT_EQ(Numbers(RunOn(loaded, Tokens(2, 2))), Numbers(RunOn(session, Tokens(2, 2))));
}

TEST_F(StateFileTest, FaultsAreNamedAndChangeNothing) {
  const RuntimeGraph graph = Built(Attention(true));
  Session session = graph.NewSession();
  RunOn(session, Tokens(5, 1));
  session.Save(path_);
  const std::string good = Bytes();
  const auto fault = [&](Session& into) { return ErrorText(ErrorCode::kFile, [&] { into.Load(path_); }); };
  for (std::size_t cut = 0; cut < good.size(); cut += 1 + good.size() / 97) {
    Write(good.substr(0, cut));
    EXPECT_THAT(fault(session), HasSubstr(path_));
  }
  for (std::size_t place = 0; place < good.size(); place += 1 + good.size() / 97) {
    std::string altered = good;
    altered[place] = static_cast<char>(altered[place] ^ 0x20);
    Write(altered);
    EXPECT_THAT(fault(session), HasSubstr(path_));
  }
  EXPECT_EQ(session.Length(), 5);
  Write(good);
  const RuntimeGraph other = Built(Attention(true, true));
  Session stranger = other.NewSession();
  EXPECT_THAT(fault(stranger), HasSubstr("is of another model"));
  Write("nothing");
  EXPECT_THAT(fault(session), HasSubstr("is no file of states"));
}

TEST(SessionStatesTest, ASnapshotOfAnotherModelIsRefused) {
  const RuntimeGraph graph = Built(Attention(true));
  const RuntimeGraph other = Built(Recurrent("state=1"));
  Session session = graph.NewSession();
  Session stranger = other.NewSession();
  EXPECT_THAT(ErrorText(ErrorCode::kState, [&] { session.Restore(stranger.Snapshot()); }),
              HasSubstr("of another model"));
}

}  // namespace
}  // namespace kuiper_infer
