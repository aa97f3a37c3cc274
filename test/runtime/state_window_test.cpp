// SPDX-License-Identifier: MIT
// Growing states that keep only their last elements.
#include <cstdio>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/state_models.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr int64_t kWindow = 5;

/// The frames from `first` to `last` along axis 2.
NdArray Frames(const NdArray& array, int64_t first, int64_t last) {
  Shape shape = array.shape();
  shape[2] = last - first;
  return array.AsStrided(shape, array.strides(), first * array.strides()[2]).Contiguous();
}

NdArray Twice(const NdArray& array) {
  NdArray twice = array.Clone();
  for (int64_t i = 0; i < twice.size(); ++i) twice.data<float>()[i] *= 2;
  return twice;
}

std::vector<float> ResultOf(Session& session, const NdArray& x) { return Numbers(session.Run({{"x", x}}).front()); }

/// The output is twice what a run reads: the former elements and its own.
std::string Reading(const std::string& state) {
  return Param({"pnnx.Input x 0 1 x #x=(1,2,?,8)f32", "pnnx.Input past 0 1 p " + state + " #p=(1,2,?,8)f32",
                "torch.cat join 2 1 p x k dim=2 #k=(1,2,?,8)f32", "pnnx.Expression twice 1 1 k y expr=mul(@0,2.0)",
                "pnnx.Output out 1 0 y", "pnnx.Output all 1 0 k"});
}

/// A causal convolution over frames: three taps, the last of which is the present frame.
std::string Convolution(const std::string& state) {
  return Param({"pnnx.Input x 0 1 x #x=(1,4,?)f32", "pnnx.Input w 0 1 w #w=(6,4,3)f32",
                "pnnx.Input past 0 1 p " + state + " #p=(1,4,?)f32", "torch.cat join 2 1 p x k dim=2 #k=(1,4,?)f32",
                "F.conv1d conv 2 1 k w y $input=k $weight=w bias=None stride=(1) padding=(0) dilation=(1) groups=1",
                "pnnx.Output out 1 0 y", "pnnx.Output all 1 0 k"});
}

NdArray Filled(const Shape& shape, int seed) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) {
    array.data<float>()[i] = static_cast<float>((i * 7 + seed * 13) % 29) / 16 - 1;
  }
  return array;
}

/// Steps of a number of elements, of attention with or without a mask.
class WindowTest : public testing::TestWithParam<std::tuple<int64_t, bool>> {};

TEST_P(WindowTest, RunsEqualThoseWithTheStateCutByHand) {
  const auto [count, masked] = GetParam();
  const RuntimeGraph graph = Built(Attention(true, masked, "window=5"));
  const RuntimeGraph all = Built(Attention(true, masked));
  Session session = graph.NewSession();
  Session by_hand = all.NewSession();
  const NdArray tokens = Tokens(30 * count, 3);
  for (int64_t at = 0; at < 30 * count; at += count) {
    const NdArray past = Frames(tokens, std::max<int64_t>(0, at - kWindow), at);
    by_hand.set_input("past_k", past);
    by_hand.set_input("past_v", Twice(past));
    const NdArray x = Frames(tokens, at, at + count);
    ASSERT_EQ(ResultOf(session, x), ResultOf(by_hand, x)) << "at " << at;
    EXPECT_EQ(session.Length(), std::min(kWindow, at + count));
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, WindowTest, testing::Combine(testing::Values(1, 3, 8), testing::Bool()));

TEST(StateWindowTest, ARunReadsTheWindowAndItsOwnElements) {
  const RuntimeGraph graph = Built(Reading("state=1 window=5"));
  Session session = graph.NewSession();
  const NdArray tokens = Tokens(100, 1);
  int64_t at = 0;
  for (const int64_t count : {2, 1, 3, 1, 1, 20, 1, 1, 40, 5, 1}) {
    const NdArray read = Frames(tokens, std::max<int64_t>(0, at - kWindow), at + count);
    ASSERT_EQ(ResultOf(session, Frames(tokens, at, at + count)), Numbers(Twice(read))) << "at " << at;
    at += count;
  }
}

TEST(StateWindowTest, OnePlanServesAllRuns) {
  RuntimeGraph graph = Built(Attention(true, true, "window=5"));
  for (int i = 0; i < 20; ++i) {
    graph.set_input("x", Tokens(1, i));
    graph.Run();
  }
  EXPECT_EQ(graph.report().plans, 1);
}

TEST(StateWindowTest, RunsOfPlansForOneLengthKeepTheWindow) {
  // The number of weights has to fit the length, so no plan serves two lengths.
  const RuntimeGraph graph = Built(
      Param({"pnnx.Input x 0 1 x #x=(1,2,?,8)f32", "pnnx.Input weights 0 1 m #m=(1,2,?,8)f32",
             "pnnx.Input past 0 1 p state=1 window=5 #p=(1,2,?,8)f32", "torch.cat join 2 1 p x k dim=2 #k=(1,2,?,8)f32",
             "pnnx.Expression weigh 2 1 k m y expr=mul(@0,@1)", "pnnx.Output out 1 0 y", "pnnx.Output all 1 0 k"}));
  Session session = graph.NewSession();
  const NdArray tokens = Tokens(40, 1);
  for (int64_t at = 0; at < 36; at += 3) {
    const NdArray read = Frames(tokens, std::max<int64_t>(0, at - kWindow), at + 3);
    NdArray weights(RuntimeDataType::kTypeFloat32, read.shape());
    std::fill_n(weights.data<float>(), weights.size(), 2.0F);
    const NdArray x = Frames(tokens, at, at + 3);
    ASSERT_EQ(Numbers(session.Run({{"x", x}, {"weights", weights}}).front()), Numbers(Twice(read))) << "at " << at;
  }
}

TEST(StateWindowTest, AStreamingConvolutionEqualsThatOfTheWholeSequence) {
  const RuntimeGraph graph = Built(Convolution("state=1 window=2"));
  RuntimeGraph by_hand = Built(Convolution(""));
  const NdArray weight = Filled({6, 4, 3}, 2);
  const NdArray frames = Filled({1, 4, 62}, 1);  // the first two stand for those before the stream
  by_hand.set_input("w", weight);
  by_hand.set_input("past", Frames(frames, 0, 2));
  by_hand.set_input("x", Frames(frames, 2, 62));
  by_hand.Run();
  const NdArray whole = by_hand.outputs().front();
  for (const int64_t count : {1, 3, 10}) {
    Session session = graph.NewSession();
    session.set_input("past", Frames(frames, 0, 2));
    for (int64_t at = 2; at < 62; at += count) {
      const NdArray x = Frames(frames, at, at + count);
      const NdArray found = session.Run({{"x", x}, {"w", weight}}).front();
      by_hand.set_input("past", Frames(frames, at - 2, at));
      by_hand.set_input("x", x);
      by_hand.Run();
      ASSERT_EQ(Numbers(found), Numbers(by_hand.outputs().front())) << count << " frames at " << at;
      ExpectNear(found, Frames(whole, at - 2, at - 2 + count));
    }
  }
}

TEST(StateWindowTest, TruncatedIsOnlyWhatHasDroppedNothing) {
  const RuntimeGraph graph = Built(Reading("state=1 window=5"));
  Session session = graph.NewSession();
  Session twin = graph.NewSession();
  ResultOf(session, Tokens(5, 1));
  session.Truncate(2);
  EXPECT_EQ(session.Length(), 2);
  ResultOf(twin, Frames(Tokens(5, 1), 0, 2));
  EXPECT_EQ(ResultOf(session, Tokens(1, 2)), ResultOf(twin, Tokens(1, 2)));
  ResultOf(session, Tokens(3, 2));
  EXPECT_THAT(
      ErrorText(ErrorCode::kState, [&] { session.Truncate(4); }),
      HasSubstr("state 'past' keeps the last 5 elements, has dropped those before them and cannot be truncated: "
                "take a snapshot before the run"));
  EXPECT_EQ(session.Length(), 5);
  session.Truncate(5);
  EXPECT_EQ(session.Length(), 5);
  session.Reset();
  EXPECT_EQ(session.Length(), 0);
  ResultOf(session, Tokens(4, 1));
  session.Truncate(1);
  EXPECT_EQ(session.Length(), 1);
}

TEST(StateWindowTest, SnapshotsAndFilesHaveWhatIsHeld) {
  const std::string path = testing::TempDir() + "kuiper_window_" + std::to_string(::getpid());
  const RuntimeGraph graph = Built(Reading("state=1 window=5"));
  Session session = graph.NewSession();
  for (int i = 0; i < 9; ++i) ResultOf(session, Tokens(1, i));
  const StateSnapshot snapshot = session.Snapshot();
  session.Save(path);
  const std::vector<float> next = ResultOf(session, Tokens(1, 9));
  for (const bool file : {false, true}) {
    Session other = graph.NewSession();
    file ? other.Load(path) : other.Restore(snapshot);
    EXPECT_EQ(other.Length(), 5);
    EXPECT_THROW(other.Truncate(4), Error) << "elements have been dropped before";
    EXPECT_EQ(ResultOf(other, Tokens(1, 9)), next);
  }
  session.Reset();
  ResultOf(session, Tokens(5, 1));
  session.Save(path);
  session.Load(path);
  session.Truncate(4);
  EXPECT_EQ(session.Length(), 4);
  std::remove(path.c_str());
}

TEST(StateWindowTest, AFileFillsAWindowOfAnotherSize) {
  const std::string path = testing::TempDir() + "kuiper_window_" + std::to_string(::getpid());
  BuildOptions options;
  options.states = {{"all", "past", 5}};
  const RuntimeGraph five = Built(Reading(""), options);
  Session session = five.NewSession();
  const NdArray tokens = Tokens(8, 1);
  ResultOf(session, Frames(tokens, 0, 7));
  session.Save(path);
  for (const int64_t window : {3, 9}) {
    options.states.front().window = window;
    const RuntimeGraph graph = Built(Reading(""), options);
    Session other = graph.NewSession();
    other.Load(path);
    const int64_t held = std::min<int64_t>(window, 5);
    EXPECT_EQ(other.Length(), held);
    EXPECT_THROW(other.Truncate(1), Error);
    EXPECT_EQ(ResultOf(other, Frames(tokens, 7, 8)), Numbers(Twice(Frames(tokens, 7 - held, 8))));
  }
  std::remove(path.c_str());
}

TEST(StateWindowTest, AFirstValueIsCut) {
  const RuntimeGraph graph = Built(Reading("state=1 window=5"));
  Session session = graph.NewSession();
  const NdArray tokens = Tokens(10, 1);
  session.set_input("past", Frames(tokens, 0, 9));
  EXPECT_EQ(session.Length(), 5);
  EXPECT_THROW(session.Truncate(1), Error);
  EXPECT_EQ(ResultOf(session, Frames(tokens, 9, 10)), Numbers(Twice(Frames(tokens, 4, 10))));
}

TEST(StateWindowTest, AFailedRunLeavesTheStates) {
  const RuntimeGraph graph = Built(Reading("state=1 window=5"));
  Session session = graph.NewSession();
  Session twin = graph.NewSession();
  ResultOf(session, Tokens(7, 1));
  ResultOf(twin, Tokens(7, 1));
  for (int i = 0; i < 40; ++i) EXPECT_THROW(session.Run({{"x", Tokens(2, 2)}}, Cancelled()), Error);
  EXPECT_EQ(ResultOf(session, Tokens(1, 4)), ResultOf(twin, Tokens(1, 4)));
}

TEST(StateWindowTest, MemoryStaysBounded) {
  constexpr int64_t kElementBytes = 2 * 8 * sizeof(float);
  BuildOptions options;
  options.states = {{"1", "past", 64}};
  options.max_memory_bytes = 200'000;
  const RuntimeGraph graph = Built(Reading(""), options);
  Session session = graph.NewSession();
  for (int i = 0; i < 10'000; ++i) session.Run({{"x", Tokens(1, i)}});
  EXPECT_EQ(session.Length(), 64);
  EXPECT_GE(session.StateBytes(), 64 * kElementBytes);
  EXPECT_LE(session.StateBytes(), 4 * 65 * kElementBytes);
  Session prompted = graph.NewSession();
  prompted.Run({{"x", Tokens(300, 1)}});
  for (int i = 0; i < 10'000; ++i) prompted.Run({{"x", Tokens(1, i)}});
  EXPECT_LE(prompted.StateBytes(), 8 * 65 * kElementBytes);
}

TEST(StateWindowTest, AProgramGivesWindowsToStatesOfTheFile) {
  BuildOptions options;
  options.states = {{"all", "past", 3}};
  for (const char* file : {"", "state=1", "state=1 window=5"}) {
    const RuntimeGraph graph = Built(Reading(file), options);
    EXPECT_EQ(graph.states().front().window, 3) << file;
    EXPECT_EQ(graph.Duplicate()->states().front().window, 3) << file;
    Session session = graph.NewSession();
    ResultOf(session, Tokens(7, 1));
    EXPECT_EQ(session.Length(), 3);
  }
  options.states.front().window = 0;
  EXPECT_EQ(Built(Reading("state=1 window=5"), options).states().front().window, 5);
  EXPECT_EQ(Built(Reading("state=1"), options).states().front().window, 0);
}

TEST(StateWindowTest, AWindowStaysWithinTheLongestState) {
  BuildOptions options;
  options.max_state_length = 5;
  const RuntimeGraph graph = Built(Reading("state=1 window=5"), options);
  Session session = graph.NewSession();
  for (const int64_t count : {3, 3, 9, 1}) ResultOf(session, Tokens(count, 1));
  EXPECT_EQ(session.Length(), 5);
  options.max_state_length = 4;
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Built(Reading("state=1 window=5"), options); }),
              HasSubstr("state 'past' has a window of 5 elements, expected at most max_state_length = 4"));
}

TEST(StateWindowTest, FaultsAreNamed) {
  const auto in_file = [](const std::string& param) { return ErrorText(ErrorCode::kGraph, [&] { Built(param); }); };
  for (const char* value : {"0", "-3", "2.5", "wide", "(1,2)", "None", "True"}) {
    EXPECT_THAT(
        in_file(Reading("state=1 window=" + std::string(value))),
        testing::AllOf(HasSubstr("input 'past' has window="), HasSubstr("expected a number of elements, 1 or more")))
        << value;
  }
  EXPECT_THAT(in_file(Reading("window=4")),
              HasSubstr("input 'past' has window=4, but no state=: only a state can have a window"));
  const std::string replaced = Param({"pnnx.Input h 0 1 h state=0 window=4 #h=(1,4)f32",
                                      "pnnx.Expression next 1 1 h n expr=mul(@0,0.5)", "pnnx.Output out 1 0 n"});
  EXPECT_THAT(in_file(replaced), HasSubstr("state 'h' has a window of 4 elements, but is replaced in each run: only a "
                                           "state that grows can have a window"));
  BuildOptions options;
  options.states = {{"all", "past", -1}};
  for (const char* file : {"", "state=1"}) {
    EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { Built(Reading(file), options); }),
                HasSubstr("state 'past' has a window of -1 elements, expected 1 or more, or 0 to keep all"));
  }
}

}  // namespace
}  // namespace kuiper_infer
