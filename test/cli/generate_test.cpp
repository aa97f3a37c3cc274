// SPDX-License-Identifier: MIT
// kuiper generate with a small decoder.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "text/small_decoder.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

class GenerateTest : public testing::Test {
 protected:
  GenerateTest() {
    Save("m.param", DecoderParam("smollm2", false));
    Save("all.param", DecoderParam("smollm2", true));
    Save("m.bin", DecoderPart("smollm2", "model.bin"));
    Save("tokenizer.json", SmallTokenizerJson());
  }

  void Save(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  std::vector<std::string> Arguments(const std::vector<std::string>& more, const std::string& param = "m.param") const {
    std::vector<std::string> arguments = {"generate",        "--param",     folder_ / param,           "--bin",
                                          folder_ / "m.bin", "--tokenizer", folder_ / "tokenizer.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  nlohmann::json Json(std::vector<std::string> more, const std::string& param = "m.param") const {
    more.emplace_back("--json");
    const ProgramResult result = RunKuiper(Arguments(more, param));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  const TemporaryFolder folder_;
};

TEST_F(GenerateTest, PrintsTheTextAsItComesOrAReport) {
  const ProgramResult plain = RunKuiper(Arguments({"--prompt", "Hello world", "--max-tokens", "20"}));
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const nlohmann::json report = Json({"--prompt", "Hello world", "--max-tokens", "20"});
  EXPECT_EQ(report.at("text").get<std::string>() + "\n", plain.out);
  EXPECT_EQ(report.at("prompt_tokens"), 12) << "eleven letters, and the token that begins a text";
  EXPECT_LE(report.at("tokens").size(), 20U);
  EXPECT_THAT(report.at("finish_reason"), testing::AnyOf("length", "stop"));
  EXPECT_GT(report.at("time_to_first_token_ms").get<double>(), 0);
  EXPECT_GE(report.at("tokens_per_s").get<double>(), 0);
}

TEST_F(GenerateTest, ReadsThePromptFromStandardInput) {
  Save("prompt", "Hello world");
  const ProgramResult result = RunKuiperOn(folder_ / "prompt", Arguments({"--max-tokens", "20", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out).at("tokens"),
            Json({"--prompt", "Hello world", "--max-tokens", "20"}).at("tokens"));
}

TEST_F(GenerateTest, TheSeedDecides) {
  const auto tokens = [&](const std::string& seed, const std::string& threads) {
    return Json({"--prompt", "Hello", "--temperature", "1.5", "--max-tokens", "30", "--seed", seed, "--threads",
                 threads})
        .at("tokens");
  };
  EXPECT_EQ(tokens("7", "1"), tokens("7", "2"));
  EXPECT_NE(tokens("7", "1"), tokens("9223372036854775807", "1"));
}

TEST_F(GenerateTest, ChatsByATemplate) {
  const nlohmann::json bare = Json({"--prompt", "Hi", "--chat", "--template", "chatml", "--max-tokens", "3"});
  const nlohmann::json with =
      Json({"--prompt", "Hi", "--chat", "--template", "chatml", "--system", "Be kind", "--max-tokens", "3"});
  EXPECT_EQ(with.at("prompt_tokens").get<int>() - bare.at("prompt_tokens").get<int>(), 17);
  ExpectErrorLine(RunKuiper(Arguments({"--prompt", "Hi", "--chat"})), {"has no chat template", "chatml, smollm2"});
  ExpectErrorLine(RunKuiper(Arguments({"--prompt", "Hi", "--chat", "--template", "x"})), {"no chat template 'x'"});
}

TEST_F(GenerateTest, LogProbabilitiesAndLookup) {
  const nlohmann::json report = Json({"--prompt", "abcabcabc", "--max-tokens", "30", "--logprobs", "2"});
  ASSERT_EQ(report.at("logprobs").size(), report.at("tokens").size());
  EXPECT_EQ(report.at("logprobs")[0].at("best").size(), 2U);
  EXPECT_EQ(report.at("logprobs")[0].at("best")[0].at("token"), report.at("tokens")[0]);
  const nlohmann::json guessed = Json({"--prompt", "abcabcabc", "--max-tokens", "30", "--lookup", "7"}, "all.param");
  EXPECT_EQ(guessed.at("tokens"), report.at("tokens"));
  EXPECT_GE(guessed.at("lookup").at("guessed").get<int>(), guessed.at("lookup").at("accepted").get<int>());
}

TEST_F(GenerateTest, WrongCallsAreOneLine) {
  const auto call = [&](const std::vector<std::string>& more) { return RunKuiper(Arguments(more)); };
  ExpectErrorLine(call({"--prompt", std::string(300, 'a')}),
                  {"the prompt has 301 tokens, the model allows at most 256"});
  ExpectErrorLine(call({"--prompt", "a", "--top-p", "0"}), {"top_p is 0, expected more than 0, at most 1"});
  EXPECT_EQ(call({"--prompt", "a", "--seed", "-1"}).exit_code, 2);
  ExpectErrorLine(call({"--prompt", "a", "--lookup", "7"}), {"export it with logits=\"all\""});
  EXPECT_EQ(call({"--prompt", "a", "--system", "b"}).exit_code, 2) << "--system needs --chat";
  Save("tokenizer.json", "{");
  ExpectErrorLine(call({"--prompt", "a"}), {"tokenizer.json"});
  const std::string reader = std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader.pnnx.";
  Save("tokenizer.json", SmallTokenizerJson());
  ExpectErrorLine(RunKuiper({"generate", "--param", reader + "param", "--bin", reader + "bin", "--tokenizer",
                             folder_ / "tokenizer.json", "--prompt", "a"}),
                  {"the model is no decoder: its inputs are"});
}

}  // namespace
}  // namespace kuiper_infer::test
