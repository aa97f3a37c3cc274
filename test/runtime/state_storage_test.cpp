// SPDX-License-Identifier: MIT
// Keys and values that sessions keep as bfloat16.
#include <cstdio>
#include <unistd.h>

#include <gtest/gtest.h>

#include "runtime/state_models.hpp"

namespace kuiper_infer {
namespace {

BuildOptions AtMedium() {
  BuildOptions options;
  options.precision = Precision::kMedium;
  return options;
}

/// Tokens that bfloat16 does not hold exactly.
NdArray Thirds(int64_t count, int seed) {
  NdArray array = Tokens(count, seed);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] /= 3;
  return array;
}

/// Keys and values have at most 2 as their magnitude, and rounding them to 8 bits changes them by 2^-8 at most. The
/// softmax of scores and the sum of values take that over with a factor of a few.
void ExpectRounded(const NdArray& found, const NdArray& wanted) {
  ASSERT_EQ(found.shape(), wanted.shape());
  for (int64_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found.data<float>()[i], wanted.data<float>()[i], 0.02) << "element " << i;
  }
}

class StateStorageTest : public testing::TestWithParam<bool> {};

TEST_P(StateStorageTest, HasHalfTheBytesAndRoundedResults) {
  const RuntimeGraph exact = Built(Attention(true, GetParam()));
  const RuntimeGraph rounded = Built(Attention(true, GetParam()), AtMedium());
  Session wanted = exact.NewSession();
  Session found = rounded.NewSession();
  bool differs = false;
  int seed = 0;
  for (const int64_t count : {5, 1, 1, 30, 1, 2}) {
    const NdArray tokens = Thirds(count, ++seed);
    const NdArray a = RunOn(found, tokens);
    const NdArray b = RunOn(wanted, tokens);
    ExpectRounded(a, b);
    differs = differs || Numbers(a) != Numbers(b);
    EXPECT_EQ(2 * found.StateBytes(), wanted.StateBytes());
    EXPECT_EQ(found.Length(), wanted.Length());
  }
  EXPECT_TRUE(differs) << "nothing was rounded";
  found.Truncate(6);
  wanted.Truncate(6);
  ExpectRounded(RunOn(found, Tokens(1, 77)), RunOn(wanted, Tokens(1, 77)));
}

INSTANTIATE_TEST_SUITE_P(Masks, StateStorageTest, testing::Bool());

TEST(StateStorageTest, AttentionIsPlannedAheadForAllLengths) {
  for (const bool masked : {false, true}) {
    RuntimeGraph graph = Built(Attention(true, masked), AtMedium());
    graph.set_input("x", Tokens(3, 1));
    int streamed = 0;
    for (const RuntimeGraph::StepProfile& step : graph.Profile()) streamed += step.method == "streamed" ? 1 : 0;
    EXPECT_EQ(streamed, 1);
  }
}

TEST(StateStorageTest, TogetherAndWithAWindow) {
  for (const char* const more : {"", "window=7"}) {
    const RuntimeGraph graph = Built(Attention(true, false, more), AtMedium());
    Session a = graph.NewSession();
    Session b = graph.NewSession();
    Session alone = graph.NewSession();
    for (int step = 0; step < 12; ++step) {
      const NdArray tokens = Tokens(1, step);
      const auto results = Session::RunTogether({&a, &b}, {{{"x", tokens}}, {{"x", Tokens(1, 100 + step)}}});
      EXPECT_EQ(Numbers(results.front().front()), Numbers(RunOn(alone, tokens)));
    }
  }
}

TEST(StateStorageTest, AStateThatAnotherOperatorReadsKeepsItsType) {
  const std::string param =
      Param({"pnnx.Input x 0 1 x #x=(1,2,?,8)f32", "pnnx.Input past 0 1 p state=1 #p=(1,2,?,8)f32",
             "torch.cat join 2 1 p x k dim=2 #k=(1,2,?,8)f32", "F.scaled_dot_product_attention attend 3 1 x k k y",
             "torch.sum total 1 1 k s dim=(2) keepdim=True #s=(1,2,1,8)f32",
             "pnnx.Expression add 2 1 y s z expr=add(@0,@1)", "pnnx.Output out 1 0 z", "pnnx.Output all 1 0 k"});
  const RuntimeGraph exact = Built(param);
  const RuntimeGraph medium = Built(param, AtMedium());
  Session wanted = exact.NewSession();
  Session found = medium.NewSession();
  for (const int64_t count : {4, 1, 1}) ExpectNear(RunOn(found, Tokens(count, 3)), RunOn(wanted, Tokens(count, 3)));
  EXPECT_EQ(found.StateBytes(), wanted.StateBytes());
}

TEST(StateStorageTest, FilesOfStatesGoFromOnePrecisionToAnother) {
  const std::string path = testing::TempDir() + "kuiper_storage_" + std::to_string(::getpid());
  const RuntimeGraph exact = Built(Attention(true));
  const RuntimeGraph medium = Built(Attention(true), AtMedium());
  Session a = exact.NewSession();
  Session b = medium.NewSession();
  RunOn(a, Tokens(9, 1));
  a.Save(path);
  b.Load(path);
  EXPECT_EQ(b.Length(), 9);
  EXPECT_EQ(2 * b.StateBytes(), a.StateBytes());
  ExpectRounded(RunOn(b, Tokens(1, 2)), RunOn(a, Tokens(1, 2)));
  b.Save(path);
  a.Load(path);
  EXPECT_EQ(a.Length(), 10);
  ExpectRounded(RunOn(a, Tokens(1, 3)), RunOn(b, Tokens(1, 3)));
  std::remove(path.c_str());
}

TEST(StateStorageTest, AProgramSetsTheStateInTheModelsType) {
  const RuntimeGraph medium = Built(Attention(true), AtMedium());
  Session set = medium.NewSession();
  Session run = medium.NewSession();
  RunOn(run, Tokens(3, 1));
  set.set_input("past_k", Tokens(3, 1));
  NdArray values = Tokens(3, 1);
  for (int64_t i = 0; i < values.size(); ++i) values.data<float>()[i] *= 2;
  set.set_input("past_v", values);
  EXPECT_EQ(Numbers(RunOn(set, Tokens(1, 5))), Numbers(RunOn(run, Tokens(1, 5))));
}

}  // namespace
}  // namespace kuiper_infer
