// SPDX-License-Identifier: MIT
// Keys and values that sessions keep as bfloat16 or in int8.
#include <cstdio>
#include <unistd.h>

#include <gtest/gtest.h>

#include "kernel/product/bfloat16/kernel.hpp"
#include "runtime/state_models.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer {
namespace {

BuildOptions AtMedium() {
  BuildOptions options;
  options.precision = Precision::kMedium;
  return options;
}

BuildOptions WithStates(const char* type) {
  BuildOptions options;
  options.state_type = type;
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

struct Storage {
  bool masked;
  BuildOptions options;
  double share;  ///< of the bytes that float32 takes
};

void PrintTo(const Storage& storage, std::ostream* stream) {
  *stream << (storage.masked ? "masked " : "") << storage.options.state_type << " " << storage.share;
}

class StateStorageTest : public testing::TestWithParam<Storage> {};

TEST_P(StateStorageTest, HasFewerBytesAndRoundedResults) {
  const RuntimeGraph exact = Built(Attention(true, GetParam().masked));
  const RuntimeGraph rounded = Built(Attention(true, GetParam().masked), GetParam().options);
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
    EXPECT_EQ(static_cast<double>(found.StateBytes()), GetParam().share * static_cast<double>(wanted.StateBytes()));
    EXPECT_EQ(found.Length(), wanted.Length());
  }
  EXPECT_TRUE(differs) << "nothing was rounded";
  found.Truncate(6);
  wanted.Truncate(6);
  ExpectRounded(RunOn(found, Tokens(1, 77)), RunOn(wanted, Tokens(1, 77)));
}

/// Rows of 8 floats take 8 bytes and a scale in int8.
constexpr double kInt8Share = 12.0 / 32;

INSTANTIATE_TEST_SUITE_P(Types, StateStorageTest,
                         testing::Values(Storage{false, AtMedium(), 0.5}, Storage{true, AtMedium(), 0.5},
                                         Storage{false, WithStates("bfloat16"), 0.5},
                                         Storage{false, WithStates("int8"), kInt8Share},
                                         Storage{true, WithStates("int8"), kInt8Share}));

TEST(StateStorageTest, AttentionIsPlannedAheadForAllLengths) {
  const bool rounds = kernel::RoundingTiles(UsedMatrixUnit(), 1) != nullptr;
  const std::string method = rounds ? "streamed, bfloat16" : "streamed";
  for (const bool masked : {false, true}) {
    RuntimeGraph graph = Built(Attention(true, masked), AtMedium());
    graph.set_input("x", Tokens(3, 1));
    int streamed = 0;
    for (const RuntimeGraph::StepProfile& step : graph.Profile()) streamed += step.method == method ? 1 : 0;
    EXPECT_EQ(streamed, 1);
  }
}

TEST(StateStorageTest, TogetherAndWithAWindow) {
  for (const char* const more : {"", "window=7"}) {
    for (const char* const type : {"bfloat16", "int8"}) {
      const RuntimeGraph graph = Built(Attention(true, false, more), WithStates(type));
      Session a = graph.NewSession();
      Session b = graph.NewSession();
      Session alone = graph.NewSession();
      for (int step = 0; step < 12; ++step) {
        const NdArray tokens = Thirds(1, step);
        const auto results = Session::RunTogether({&a, &b}, {{{"x", tokens}}, {{"x", Thirds(1, 100 + step)}}});
        EXPECT_EQ(Numbers(results.front().front()), Numbers(RunOn(alone, tokens)));
      }
    }
  }
}

TEST(StateStorageTest, SnapshotsAndTruncationKeepTheIntegers) {
  const RuntimeGraph graph = Built(Attention(true), WithStates("int8"));
  Session session = graph.NewSession();
  RunOn(session, Thirds(5, 1));
  const StateSnapshot snapshot = session.Snapshot();
  const auto expected = Numbers(RunOn(session, Thirds(2, 2)));
  RunOn(session, Thirds(40, 3));  // the memory grows
  session.Truncate(5);
  EXPECT_EQ(Numbers(RunOn(session, Thirds(2, 2))), expected);
  session.Restore(snapshot);
  EXPECT_EQ(Numbers(RunOn(session, Thirds(2, 2))), expected);
}

TEST(StateStorageTest, TheGraphTellsWhatIsKept) {
  const auto kept = [](const BuildOptions& options) { return Built(Attention(true), options).states().front().kept; };
  EXPECT_EQ(kept({}), RuntimeDataType::kTypeFloat32);
  EXPECT_EQ(kept(AtMedium()), RuntimeDataType::kTypeBFloat16);
  EXPECT_EQ(kept(WithStates("int8")), RuntimeDataType::kTypeInt8);
  BuildOptions exact = AtMedium();
  exact.state_type = "float32";
  EXPECT_EQ(kept(exact), RuntimeDataType::kTypeFloat32);
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

/// Keys whose length an expression reads, and values that `more` may read as well.
std::string KeysAndValues(const std::vector<std::string>& more, const std::string& length) {
  std::vector<std::string> lines = {"pnnx.Input x 0 1 x #x=(1,2,?,8)f32",
                                    "pnnx.Input past_k 0 1 pk state=1 #pk=(1,2,?,8)f32",
                                    "pnnx.Input past_v 0 1 pv state=2 #pv=(1,2,?,8)f32",
                                    "pnnx.Expression length 2 1 pk x n expr=" + length,
                                    "torch.cat join_k 2 1 pk x k dim=2 #k=(1,2,?,8)f32",
                                    "torch.cat join_v 2 1 pv x v dim=2 #v=(1,2,?,8)f32",
                                    "F.scaled_dot_product_attention attend 3 1 x k v y",
                                    "torch.mul scaled 2 1 y n z"};
  lines.insert(lines.end(), more.begin(), more.end());
  lines.insert(lines.end(), {"pnnx.Output out 1 0 z", "pnnx.Output k_out 1 0 k", "pnnx.Output v_out 1 0 v"});
  return Param(lines);
}

TEST(StateStorageTest, ExtentsMayBeRead) {
  const std::string param = KeysAndValues({}, "add(size(@0,2),size(@1,2))");
  const RuntimeGraph exact = Built(param);
  RuntimeGraph medium = Built(param, AtMedium());
  Session wanted = exact.NewSession();
  Session found = medium.NewSession();
  for (const int64_t count : {4, 1, 1}) ExpectNear(RunOn(found, Tokens(count, 3)), RunOn(wanted, Tokens(count, 3)));
  EXPECT_EQ(2 * found.StateBytes(), wanted.StateBytes());
  EXPECT_EQ(medium.report().plans, 2) << "a plan for each number of tokens";
}

TEST(StateStorageTest, KeysAndValuesAreKeptAlike) {
  const std::string sum = "torch.sum total 1 1 v s dim=(2) keepdim=False";
  for (const std::string& param : {KeysAndValues({sum}, "size(@0,2)"), KeysAndValues({}, "add(@0,size(@1,2))")}) {
    const RuntimeGraph exact = Built(param);
    const RuntimeGraph medium = Built(param, AtMedium());
    Session wanted = exact.NewSession();
    Session found = medium.NewSession();
    RunOn(found, Tokens(1, 3));
    RunOn(wanted, Tokens(1, 3));
    EXPECT_EQ(found.StateBytes(), wanted.StateBytes());
  }
}

TEST(StateStorageTest, FilesOfStatesGoFromOneTypeToAnother) {
  const std::string path = testing::TempDir() + "kuiper_storage_" + std::to_string(::getpid());
  for (const char* const from : {"float32", "bfloat16", "int8"}) {
    for (const char* const to : {"float32", "bfloat16", "int8"}) {
      const RuntimeGraph first = Built(Attention(true), WithStates(from));
      const RuntimeGraph second = Built(Attention(true), WithStates(to));
      Session a = first.NewSession();
      Session b = second.NewSession();
      RunOn(a, Thirds(9, 1));
      a.Save(path);
      b.Load(path);
      EXPECT_EQ(b.Length(), 9);
      const NdArray found = RunOn(b, Thirds(1, 2));
      const NdArray wanted = RunOn(a, Thirds(1, 2));
      ExpectRounded(found, wanted);
      if (std::string(from) == to) {
        EXPECT_EQ(Numbers(found), Numbers(wanted));
      }
    }
  }
  std::remove(path.c_str());
}

TEST(StateStorageTest, AProgramSetsTheStateInTheModelsType) {
  for (const char* const type : {"bfloat16", "int8"}) {
    const RuntimeGraph graph = Built(Attention(true), WithStates(type));
    Session set = graph.NewSession();
    Session run = graph.NewSession();
    RunOn(run, Thirds(3, 1));
    set.set_input("past_k", Thirds(3, 1));
    NdArray values = Thirds(3, 1);
    for (int64_t i = 0; i < values.size(); ++i) values.data<float>()[i] *= 2;
    set.set_input("past_v", values);
    EXPECT_EQ(Numbers(RunOn(set, Thirds(1, 5))), Numbers(RunOn(run, Thirds(1, 5))));
  }
}

}  // namespace
}  // namespace kuiper_infer
