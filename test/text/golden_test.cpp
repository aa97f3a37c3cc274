// SPDX-License-Identifier: MIT
// Tokenizers of all kinds give what other people's libraries give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/text/tokenizer.hpp"
#include "text/cases.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text::test {
namespace {

using Tokens = std::vector<int64_t>;

class GoldenTest : public testing::TestWithParam<std::string> {
 protected:
  const Tokenizer tokenizer_ = Tokenizer::Load(TokenizerFile(GetParam()));
  const nlohmann::json cases_ = CasesOf(GetParam());
};

TEST_P(GoldenTest, TextsBecomeTheSameTokens) {
  ASSERT_GE(cases_.size(), 50U);
  for (const nlohmann::json& each : cases_) {
    if (!each.contains("text")) continue;
    const auto text = each["text"].get<std::string>();
    SCOPED_TRACE(each["text"].dump(-1, ' ', true));
    EXPECT_EQ(tokenizer_.Encode(text), each["tokens"].get<Tokens>());
    if (!each.contains("parsed")) continue;
    EncodeOptions options;
    options.parse_special_tokens = true;
    EXPECT_EQ(tokenizer_.Encode(text, options), each["parsed"].get<Tokens>());
  }
}

TEST_P(GoldenTest, TokensBecomeTheSameTexts) {
  for (const nlohmann::json& each : cases_) {
    SCOPED_TRACE(each.dump(-1, ' ', true));
    EXPECT_EQ(tokenizer_.Decode(each["tokens"].get<Tokens>()), each["decoded"].get<std::string>());
  }
}

TEST_P(GoldenTest, StreamsGiveTheSameTextsInWholeCharacters) {
  StreamDecoder decoder(tokenizer_);
  for (const nlohmann::json& each : cases_) {
    SCOPED_TRACE(each.dump(-1, ' ', true));
    std::string text;
    for (const int64_t token : each["tokens"].get<Tokens>()) {
      const std::string piece = decoder.Push(token);
      EXPECT_EQ(WellFormedSize(piece), piece.size());
      text += piece;
    }
    text += decoder.Finish();
    EXPECT_EQ(decoder.pending(), "");
    EXPECT_EQ(text, each["decoded"].get<std::string>());
  }
}

TEST_P(GoldenTest, TokensHaveTheirNames) {
  int named = 0;
  for (int64_t token = 0; token < tokenizer_.size(); ++token) {
    const std::string& name = tokenizer_.Name(token);
    if (name.empty() || tokenizer_.Find(name) != token) continue;
    ++named;
  }
  EXPECT_GE(named, tokenizer_.size() * 9 / 10);
  EXPECT_GE(tokenizer_.size(), 256);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTest, testing::ValuesIn(TokenizersWithCases()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

/// The GGUF file holds the tokenizer smollm, but names the family in the place of its patterns.
TEST(GgufTest, SameTokensAsTokenizerJson) {
  const auto gguf = Tokenizer::Load(DataPath("smollm.gguf"));
  const auto json = Tokenizer::Load(DataPath("smollm.json"));
  EXPECT_EQ(gguf.size(), json.size());
  for (const nlohmann::json& each : CasesOf("smollm")) {
    if (each.contains("text")) {
      EXPECT_EQ(gguf.Encode(each["text"].get<std::string>()), each["tokens"].get<Tokens>());
    }
    EXPECT_EQ(gguf.Decode(each["tokens"].get<Tokens>()), each["decoded"].get<std::string>());
  }
  EXPECT_EQ(gguf.chat_template(), "{{ messages }}");
  EXPECT_EQ(gguf.endings(), Tokens{0});
  EXPECT_EQ(gguf.beginning(), std::nullopt);
  EXPECT_TRUE(gguf.special(0));
}

TEST(GgufTest, SentencePieceFilesNameTheirEdges) {
  const auto tokenizer = Tokenizer::Load(DataPath("sentencepiece.gguf"));
  EXPECT_EQ(tokenizer.beginning(), 1);
  EXPECT_EQ(tokenizer.endings(), Tokens{2});
  EXPECT_EQ(tokenizer.Name(2), "</s>");
}

}  // namespace
}  // namespace kuiper_infer::text::test
