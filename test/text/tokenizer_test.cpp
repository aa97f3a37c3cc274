// SPDX-License-Identifier: MIT
#include "kuiper_infer/text/tokenizer.hpp"

#include <filesystem>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/file_writer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/cases.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Byte-level tokens of the 256 bytes alone, in the order of GPT-2's alphabet; the first is "!".
Tokenizer Bytes() {
  json file = json::parse(ReadBytes(DataPath("gpt2.json")));
  file["model"]["merges"] = json::array();
  return Tokenizer::LoadFromMemory(file.dump(), "bytes");
}

TEST(TokenizerTest, ReadsBytesThatAreNotUtf8AsReplacements) {
  const Tokenizer tokenizer = Bytes();
  const auto tokens = [&](const std::string& text) { return tokenizer.Encode(text); };
  EXPECT_EQ(tokens("a\xFF"), tokens(u8"a\uFFFD"));
  EXPECT_EQ(tokens("\xF0\x9F\x98"), tokens(u8"\uFFFD"));
  EXPECT_EQ(tokens("\xE4\xB8x"), tokens(u8"\uFFFDx"));
  EXPECT_EQ(tokens("\xED\xA0\x80"), tokens(u8"\uFFFD\uFFFD\uFFFD"));
  EXPECT_EQ(tokens("\xC0\x80"), tokens(u8"\uFFFD\uFFFD"));
  EXPECT_EQ(tokens(std::string("\0", 1)).size(), 1U);
}

TEST(TokenizerTest, AllPairsOfBytesAreDecodedAsTheyAreReplaced) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second), 'x'};
      EXPECT_EQ(WellFormedSize(WellFormed(bytes)), WellFormed(bytes).size());
    }
  }
}

/// The bytes of a character are four tokens here.
TEST(StreamDecoderTest, GivesOutWholeCharacters) {
  const Tokenizer tokenizer = Bytes();
  const std::vector<int64_t> tokens = tokenizer.Encode(
      "a\xF0\x9F\x98\x80"
      "b");
  ASSERT_EQ(tokens.size(), 6U);
  StreamDecoder decoder(tokenizer);
  std::vector<std::string> pieces;
  for (const int64_t token : tokens) pieces.push_back(decoder.Push(token));
  EXPECT_THAT(pieces, ElementsAre("a", "", "", "", "\xF0\x9F\x98\x80", "b"));
  EXPECT_EQ(decoder.Finish(), "");
  EXPECT_EQ(decoder.Push(tokens[1]), "");
  EXPECT_EQ(decoder.pending(), "\xF0");
  EXPECT_EQ(decoder.Finish(), u8"\uFFFD");
  EXPECT_EQ(decoder.pending(), "");
  EXPECT_EQ(decoder.Push(tokens[0]), "a") << "it can be used again";
}

/// Decoders of SentencePiece's kind drop the space before the first word, but not others.
TEST(StreamDecoderTest, TreatsTheFirstTokenAsDecodeDoes) {
  for (const char* const name : {"llama2", "unigram", "bert"}) {
    const auto tokenizer = Tokenizer::Load(TokenizerFile(name));
    const std::vector<int64_t> tokens = tokenizer.Encode("the model and the file");
    StreamDecoder decoder(tokenizer);
    std::string text;
    for (const int64_t token : tokens) text += decoder.Push(token);
    EXPECT_EQ(text + decoder.Finish(), "the model and the file") << name;
  }
}

/// U+11A7 is a vowel, and the final consonants begin behind it.
TEST(TokenizerTest, TheVowelBeforeTheFinalConsonantsIsKept) {
  const std::string vowel = u8"\u11A7";
  for (const char* form : {"NFC", "NFKC", "NFD", "NFKD"}) {
    nlohmann::json file = {{"model", {{"type", "WordLevel"}, {"unk_token", "?"}}}, {"normalizer", {{"type", form}}}};
    const bool composes = form[std::string_view(form).size() - 1] == 'C';
    const std::string syllable = composes ? u8"\uC2DC" : u8"\u1109\u1175";
    const std::string closed = composes ? u8"\uC2DD" : u8"\u1109\u1175\u11A8";
    file["model"]["vocab"] = {{"?", 0}, {syllable + vowel, 1}, {closed, 2}, {vowel + vowel + syllable, 3}};
    const auto tokenizer = Tokenizer::LoadFromMemory(file.dump(), "form");
    SCOPED_TRACE(form);
    EXPECT_THAT(tokenizer.Encode(u8"\u1109\u1175\u11A7"), ElementsAre(1));
    EXPECT_THAT(tokenizer.Encode(u8"\uC2DC\u11A7"), ElementsAre(1));
    EXPECT_THAT(tokenizer.Encode(u8"\u1109\u1175\u11A8"), ElementsAre(2));
    EXPECT_THAT(tokenizer.Encode(u8"\u11A7\u11A7\u1109\u1175"), ElementsAre(3));
  }
}

TEST(TokenizerTest, SpecialTokensAreTextUnlessAsked) {
  const auto tokenizer = Tokenizer::Load(DataPath("llama3.json"));
  const std::string text = "<|endoftext|>";
  EXPECT_GT(tokenizer.Encode(text, {false, false}).size(), 1U);
  EXPECT_THAT(tokenizer.Encode(text, {false, true}), ElementsAre(1));
  EXPECT_EQ(tokenizer.Decode({1}), "");
  EXPECT_EQ(tokenizer.Decode({1}, true), text);
  EXPECT_EQ(StreamDecoder(tokenizer).Push(1), "");
  EXPECT_EQ(StreamDecoder(tokenizer, true).Push(1), text);
  EXPECT_TRUE(tokenizer.special(1));
  EXPECT_FALSE(tokenizer.special(2));
}

/// A name that is a token of the model stays text as well.
TEST(TokenizerTest, NoTextBecomesASpecialTokenOfGguf) {
  const auto tokenizer = Tokenizer::Load(DataPath("sentencepiece.gguf"));
  for (const char* const text : {"<s>", "</s>", "<unk>"}) {
    for (const int64_t token : tokenizer.Encode(text, {false, false})) EXPECT_FALSE(tokenizer.special(token)) << text;
  }
}

/// The file beside it, with a name that goes with the tokenizer's.
class CompanionsTest : public testing::Test {
 protected:
  CompanionsTest() {
    std::filesystem::create_directories(folder_);
    std::filesystem::copy(DataPath("llama2.json"), path_);
  }
  ~CompanionsTest() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) const { WriteFile(folder_ + "/m." + name, text); }

  const std::string folder_ = testing::TempDir() + "/companions" + std::to_string(getpid());
  const std::string path_ = folder_ + "/m.tokenizer.json";
};

TEST_F(CompanionsTest, TellEdgesAndTemplate) {
  EXPECT_EQ(Tokenizer::Load(path_).beginning(), std::nullopt);
  EXPECT_TRUE(Tokenizer::Load(path_).endings().empty());
  Write("tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": {"content": "</s>"},
    "chat_template": [{"name": "tool", "template": "t"}, {"name": "default", "template": "d"}]})");
  EXPECT_EQ(Tokenizer::Load(path_).beginning(), 1);
  EXPECT_THAT(Tokenizer::Load(path_).endings(), ElementsAre(2));
  EXPECT_EQ(Tokenizer::Load(path_).chat_template(), "d");
  Write("generation_config.json", R"({"eos_token_id": [2, 7]})");
  Write("chat_template.jinja", "{{ x }}");
  EXPECT_THAT(Tokenizer::Load(path_).endings(), ElementsAre(2, 7));
  EXPECT_EQ(Tokenizer::Load(path_).chat_template(), "{{ x }}");
}

TEST_F(CompanionsTest, BrokenOnesAreNamed) {
  for (const char* const text : {"{", "3", R"({"eos_token_id": 1000})", R"({"eos_token_id": "2"})"}) {
    Write("generation_config.json", text);
    try {
      Tokenizer::Load(path_);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("m.generation_config.json"));
    }
  }
}

TEST(TokenizerTest, ServesManyThreads) {
  const auto tokenizer = Tokenizer::Load(DataPath("llama3.json"));
  const json cases = CasesOf("llama3");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (const json& each : cases) {
        if (!each.contains("text")) continue;
        const auto tokens = Tokenizer(tokenizer).Encode(each["text"].get<std::string>());
        count += tokens == each["tokens"].get<std::vector<int64_t>>() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

}  // namespace
}  // namespace kuiper_infer::text::test
