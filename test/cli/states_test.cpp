// SPDX-License-Identifier: MIT
// Models with states on the command line: info, run --steps, bench --decode.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "data/npy.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

class StatesTest : public testing::Test {
 protected:
  /// The output is the sum of all tokens so far; `state` is the parameter of the input with the former ones.
  void SaveModel(const std::string& state) {
    std::ofstream(param_) << "7767517\n6 5\n"
                          << "pnnx.Input x 0 1 x #x=(1,?,4)f32\n"
                          << "pnnx.Input past 0 1 p " << state << " #p=(1,?,4)f32\n"
                          << "torch.cat join 2 1 p x k dim=1 #k=(1,?,4)f32\n"
                          << "torch.sum total 1 1 k s dim=(1) keepdim=False #s=(1,4)f32\n"
                          << "pnnx.Output out 1 0 s\n"
                          << "pnnx.Output all 1 0 k\n";
    std::ofstream(bin_, std::ios::binary) << "PK\5\6" + std::string(18, '\0');
  }

  ProgramResult Call(const std::string& command, std::vector<std::string> more) const {
    std::vector<std::string> arguments = {command, "--param", param_, "--bin", bin_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunKuiper(arguments);
  }

  /// Runs the model on two tokens of ones that many times; the results lie in the folder `out`.
  void RunSteps(const std::string& steps) const {
    NdArray tokens(RuntimeDataType::kTypeFloat32, {1, 2, 4});
    std::fill_n(tokens.data<float>(), 8, 1.0F);
    WriteNpy(folder_ / "x.npy", tokens);
    const ProgramResult result =
        Call("run", {"--input", folder_ / "x.npy", "--steps", steps, "--output-dir", folder_ / "out"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  const TemporaryFolder folder_;
  const std::string param_ = folder_ / "m.pnnx.param";
  const std::string bin_ = folder_ / "m.pnnx.bin";
};

TEST_F(StatesTest, InfoListsThem) {
  SaveModel("state=1");
  const ProgramResult text = RunKuiper({"info", param_, bin_});
  EXPECT_THAT(text.out, HasSubstr("input x float32 (1,?,4)\noutput out "));
  EXPECT_THAT(text.out, HasSubstr("state past float32 (1,?,4) continues all, grows along axis 1\n"));
  const auto info = nlohmann::json::parse(RunKuiper({"info", param_, bin_, "--json"}).out);
  ASSERT_EQ(info.at("inputs").size(), 1U);
  EXPECT_EQ(info.at("inputs").at(0).at("name"), "x");
  const nlohmann::json state = {{"name", "past"}, {"output", "all"},   {"type", "float32"}, {"shape", {1, -1, 4}},
                                {"axis", 1},      {"window", nullptr}, {"kept", "float32"}};
  EXPECT_EQ(info.at("states"), nlohmann::json::array({state}));
  EXPECT_EQ(info.at("operators").at("pnnx.Output"), 2);
}

TEST_F(StatesTest, InfoTellsWindows) {
  SaveModel("state=1 window=4");
  EXPECT_THAT(RunKuiper({"info", param_, bin_}).out,
              HasSubstr("state past float32 (1,?,4) continues all, grows along axis 1, keeps the last 4\n"));
  const auto info = nlohmann::json::parse(RunKuiper({"info", param_, bin_, "--json"}).out);
  EXPECT_EQ(info.at("states").at(0).at("window"), 4);
  SaveModel("state=1 window=0");
  const ProgramResult none = RunKuiper({"info", param_, bin_});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("input 'past' has window=0, expected a number of elements, 1 or more"));
}

TEST_F(StatesTest, StepsReadTheWindow) {
  SaveModel("state=1 window=3");
  ASSERT_NO_FATAL_FAILURE(RunSteps("9"));
  EXPECT_EQ(ReadNpy(folder_ / "out/out0.npy").data<float>()[0], 5) << "3 elements of the window and 2 of the run";
}

TEST_F(StatesTest, BenchRefusesALengthBeyondTheWindow) {
  SaveModel("state=1 window=8");
  const ProgramResult beyond = Call("bench", {"--decode", "9", "--seconds", "0.01"});
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_THAT(beyond.err, HasSubstr("--decode is 9, but state 'past' keeps the last 8 elements: expected at most 8"));
  const ProgramResult within = Call("bench", {"--decode", "8", "--seconds", "0.01", "--threads", "1", "--json"});
  ASSERT_EQ(within.exit_code, 0) << within.err;
  EXPECT_EQ(nlohmann::json::parse(within.out).at("length"), 8);
}

TEST_F(StatesTest, InfoProposesPairsThatLookLikeStates) {
  SaveModel("");
  EXPECT_THAT(RunKuiper({"info", param_, bin_}).out,
              HasSubstr("note: output all is input past with new elements along axis 1: they may be states"));
}

TEST_F(StatesTest, StepsContinueEachOther) {
  SaveModel("state=1");
  ASSERT_NO_FATAL_FAILURE(RunSteps("3"));
  EXPECT_EQ(ReadNpy(folder_ / "out/out0.npy").data<float>()[0], 6);
  EXPECT_EQ(Call("run", {"--input", folder_ / "x.npy", "--steps", "0"}).exit_code, 2);
  const ProgramResult limited = Call("run", {"--input", folder_ / "x.npy", "--steps", "3", "--max-state-length", "5"});
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_THAT(limited.err, HasSubstr("state 'past' would have 6 elements along axis 1"));
}

TEST_F(StatesTest, BenchMeasuresTokensAtALength) {
  SaveModel("state=1");
  const ProgramResult result =
      Call("bench", {"--decode", "50", "--prompt", "20", "--seconds", "0.01", "--threads", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  for (const char* key : {"decode_tokens_per_s", "prompt_tokens_per_s"}) {
    EXPECT_GT(report.at(key).get<double>(), 0) << key;
  }
  EXPECT_GE(report.at("step_overhead").get<double>(), 0);
  EXPECT_EQ(report.at("length"), 50);
  EXPECT_EQ(report.at("state_bytes").get<int64_t>() % 16, 0);
  const ProgramResult together = Call("bench", {"--decode", "5", "--sequences", "3", "--seconds", "0.01"});
  ASSERT_EQ(together.exit_code, 0) << together.err;
  EXPECT_THAT(together.out, HasSubstr("3 sequences together"));
  SaveModel("");
  const ProgramResult none = Call("bench", {"--decode", "5"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("--decode needs a model with a state that grows"));
}

}  // namespace
}  // namespace kuiper_infer::test
