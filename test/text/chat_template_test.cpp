// SPDX-License-Identifier: MIT
// Prompts of conversations, compared with what Jinja makes of the models' own templates (tools/make_chat_cases.py).
#include "kuiper_infer/text/chat_template.hpp"

#include <fstream>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kuiper_infer/utils/error.hpp"
#include "text/chat/chat_family.hpp"
#include "text/chat/white_space.hpp"

namespace kuiper_infer::text {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

nlohmann::json ReadCases() {
  std::ifstream file(KUIPER_SOURCE_DIR "/test/text/chat_cases.json");
  return nlohmann::json::parse(file);
}

std::vector<ChatMessage> MessagesOf(const nlohmann::json& list) {
  std::vector<ChatMessage> messages;
  for (const auto& each : list) messages.push_back({each.at("role"), each.at("content")});
  return messages;
}

std::string ErrorOf(const std::function<void()>& call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(ChatTemplateTest, PromptsAreThoseOfJinja) {
  const nlohmann::json cases = ReadCases();
  const std::string date = cases.at("date");
  std::map<std::string, int> prompts;
  for (const auto& each : cases.at("cases")) {
    const std::string name = each.at("template");
    const std::vector<ChatMessage> messages = MessagesOf(each.at("messages"));
    SCOPED_TRACE(each.dump());
    const ChatTemplate chat = ChatTemplate::ByName(name);
    if (each.contains("error")) {
      EXPECT_THROW(chat.RenderText(messages, date), Error);
    } else {
      EXPECT_EQ(chat.RenderText(messages, date), each.at("prompt").get<std::string>());
      ++prompts[name];
    }
  }
  for (const std::string& name : ChatTemplate::Names()) EXPECT_GT(prompts[name], 5) << name;
}

TEST(ChatTemplateTest, TemplatesAreKnownByTheirHashes) {
  const nlohmann::json hashes = ReadCases().at("hashes");
  std::set<uint64_t> all;
  for (const ChatFamily& family : ChatFamilies()) {
    std::vector<uint64_t> expected;
    for (const std::string text : hashes.at(std::string(family.name)))
      expected.push_back(std::stoull(text, nullptr, 16));
    EXPECT_EQ(family.hashes, expected) << family.name;
    for (const uint64_t hash : family.hashes) EXPECT_TRUE(all.insert(hash).second) << family.name;
  }
}

/// The template of SmolLM2-135M-Instruct (Apache-2.0).
constexpr const char* kSmolLm2 =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou "
    "are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\\n' }}{% endif %}{{'<|im_start|>' + "
    "message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ "
    "'<|im_start|>assistant\\n' }}{% endif %}";

TEST(ChatTemplateTest, ATextInJinjaIsFound) {
  EXPECT_EQ(ChatTemplate::OfJinja(kSmolLm2).name(), "smollm2");
  EXPECT_EQ(ChatTemplate::OfJinja(std::string(kSmolLm2) + "\n").name(), "smollm2");
}

TEST(ChatTemplateTest, OtherTextsAreRefused) {
  const auto refused = [](const std::string& text) {
    return ErrorOf([&] { ChatTemplate::OfJinja(text); }, ErrorCode::kUnsupported);
  };
  EXPECT_THAT(refused(std::string(kSmolLm2) + " "), HasSubstr("is none of those that are known; if one of these"));
  EXPECT_THAT(refused("{% for x in range(10**9) %}{% endfor %}"), HasSubstr("chatml, smollm2, "));
  EXPECT_THAT(refused(""), HasSubstr("the tokenizer has no chat template"));
  EXPECT_THAT(ErrorOf([] { ChatTemplate::ByName("ChatML"); }, ErrorCode::kInput),
              HasSubstr("there is no chat template 'ChatML', expected one of chatml, "));
}

TEST(ChatTemplateTest, WhatIsSaidIsNoMarkup) {
  const auto parts = ChatTemplate::ByName("chatml").Render({{"system", ""}, {"user", "<|im_end|>"}});
  EXPECT_THAT(parts, ElementsAre(Field(&PromptPart::text, "<|im_start|>system\n<|im_end|>\n<|im_start|>user\n"),
                                 Field(&PromptPart::text, "<|im_end|>"),
                                 Field(&PromptPart::text, "<|im_end|>\n<|im_start|>assistant\n")));
  EXPECT_TRUE(parts[0].markup);
  EXPECT_FALSE(parts[1].markup);
  EXPECT_TRUE(parts[2].markup);
}

TEST(ChatTemplateTest, ConversationsThatMakeNoSense) {
  const auto refused = [](const char* name, const std::vector<ChatMessage>& messages) {
    return ErrorOf([&] { ChatTemplate::ByName(name).Render(messages); }, ErrorCode::kInput);
  };
  EXPECT_THAT(refused("chatml", {}), HasSubstr("needs a message of the user"));
  EXPECT_THAT(refused("chatml", {{"tool", "4"}}), HasSubstr("message 1 has the role 'tool', expected system, user or"));
  EXPECT_THAT(refused("llama3", {{"user", "a"}, {"system", "b"}}), HasSubstr("message 2 has the role 'system'"));
  EXPECT_THAT(refused("gemma", {{"system", "a"}, {"user", "b"}}), HasSubstr("has no system message"));
  EXPECT_THAT(refused("mistral", {{"user", "a"}, {"user", "b"}}),
              HasSubstr("message 2 has the role 'user', expected assistant"));
  EXPECT_THAT(refused("gemma3", {{"system", "a"}}), HasSubstr("needs a message of the user"));
}

TEST(ChatTemplateTest, TheDateIsTodayUnlessGiven) {
  const std::string text = ChatTemplate::ByName("llama3.2").RenderText({{"user", "Hi"}});
  // The expressions of gtest's matchers know no ranges on Windows.
  EXPECT_TRUE(std::regex_search(text, std::regex("Today Date: [0-3][0-9] [A-Z][a-z][a-z] 20[0-9][0-9]\n"))) << text;
  EXPECT_EQ(text.find("{date}"), std::string::npos);
}

TEST(WhiteSpaceTest, IsThatOfPython) {
  EXPECT_EQ(Trim("\u00a0\u3000 a b\u2009\n"), "a b");
  EXPECT_EQ(TrimEnd(" a \x1f"), " a");
  EXPECT_EQ(Trim(" \u200b "), "\u200b") << "the space of width zero is none";
  EXPECT_EQ(Trim("\xe3\x80"), "\xe3\x80") << "half a character";
  EXPECT_EQ(Trim(" \t"), "");
}

}  // namespace
}  // namespace kuiper_infer::text
