// SPDX-License-Identifier: MIT
// The demo chat with a small decoder: questions, saving and loading.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "text/small_decoder.hpp"

namespace kuiper_infer::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class ChatTest : public testing::Test {
 protected:
  ChatTest() {
    Save("m.pnnx.param", DecoderParam("smollm2", false));
    Save("m.pnnx.bin", DecoderPart("smollm2", "model.bin"));
    Save("m.tokenizer.json", SmallTokenizerJson());
  }

  void Save(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  /// What the demo says when a user types these lines.
  ProgramResult Say(const std::string& lines) const {
    Save("lines", lines);
    return RunKuiperOn(folder_ / "lines", {"--model", folder_ / "m", "--template", "chatml", "--temperature", "0",
                                           "--max-tokens", "5", "--system", "Be kind"});
  }

  const TemporaryFolder folder_;
};

TEST_F(ChatTest, AnswersAndKeepsItsState) {
  const ProgramResult result = Say("Hi\nAnd\n/quit\nnever read\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("\\[[1-5] tokens, .* 0 of [0-9]+ tokens of the prompt were kept\\]"));
  EXPECT_THAT(result.out, ContainsRegex(" [1-9][0-9] of [0-9]+ tokens of the prompt were kept\\]\n> $"));
}

TEST_F(ChatTest, SavesAndLoads) {
  const std::string file = folder_ / "c.json";
  EXPECT_THAT(Say("Hi\n/save " + file + "\n").out, HasSubstr("[3 messages saved]"));
  const auto saved = nlohmann::json::parse(ReadText(file));
  ASSERT_EQ(saved.size(), 3U);
  EXPECT_EQ(saved[1].at("content"), "Hi");
  EXPECT_THAT(Say("/load " + file + "\nAnd\n").out, HasSubstr("[3 messages loaded]"));
}

TEST_F(ChatTest, GoesOnAfterErrors) {
  Save("bad.json", "[{\"role\": 5}]");
  const ProgramResult result = Say("/nothing\n/load " + (folder_ / "none") + "\n/load " + (folder_ / "bad.json") +
                                   "\n" + std::string(300, 'a') + "\nHi\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("error: unknown command /nothing, expected /save FILE, /load FILE or /quit"));
  EXPECT_THAT(result.out, HasSubstr("none: cannot be read"));
  EXPECT_THAT(result.out, HasSubstr("the model allows at most 256"));
  EXPECT_THAT(result.out, HasSubstr(" tokens of the prompt were kept]")) << "the last question";
}

}  // namespace
}  // namespace kuiper_infer::test
