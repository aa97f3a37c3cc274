// SPDX-License-Identifier: MIT
#include "text/chat/chat_family.hpp"

namespace kuiper_infer::text {
namespace {

ChatFamily ChatMl(std::string_view name, std::vector<uint64_t> hashes, const char* default_system) {
  ChatFamily family;
  family.name = name;
  family.hashes = std::move(hashes);
  family.system = {"<|im_start|>system\n", "<|im_end|>\n"};
  family.user = {"<|im_start|>user\n", "<|im_end|>\n"};
  family.assistant = {"<|im_start|>assistant\n", "<|im_end|>\n"};
  family.end = "<|im_end|>";
  family.prompt = family.assistant.before;
  family.default_system = default_system;
  return family;
}

ChatFamily Llama3(std::string_view name, std::vector<uint64_t> hashes, std::string_view before_system) {
  ChatFamily family;
  family.name = name;
  family.hashes = std::move(hashes);
  family.beginning = "<|begin_of_text|>";
  family.system = {before_system, "<|eot_id|>"};
  family.user = {"<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"};
  family.assistant = {"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"};
  family.end = "<|eot_id|>";
  family.prompt = family.assistant.before;
  family.trims = true;
  family.trims_system = true;
  return family;
}

/// Llama 3.1 and later tell the date in a system message that is always there.
ChatFamily DatedLlama3(std::string_view name, std::vector<uint64_t> hashes, std::string_view before_system) {
  ChatFamily family = Llama3(name, std::move(hashes), before_system);
  family.default_system = "";
  return family;
}

ChatFamily Llama2() {
  ChatFamily family;
  family.name = "llama2";
  family.hashes = {0xf344eecf1bd3a427U};
  family.system = {"<<SYS>>\n", "\n<</SYS>>\n\n"};
  family.user = {"<s>[INST] ", " [/INST]"};
  family.assistant = {" ", " </s>"};
  family.end = "</s>";
  family.place = SystemPlace::kFirstUser;
  family.trims = true;
  family.alternates = true;
  return family;
}

ChatFamily Gemma(std::string_view name, std::vector<uint64_t> hashes, SystemPlace place) {
  ChatFamily family;
  family.name = name;
  family.hashes = std::move(hashes);
  family.beginning = "<bos>";
  family.system = {"", "\n\n"};
  family.user = {"<start_of_turn>user\n", "<end_of_turn>\n"};
  family.assistant = {"<start_of_turn>model\n", "<end_of_turn>\n"};
  family.end = "<end_of_turn>";
  family.prompt = family.assistant.before;
  family.place = place;
  family.trims = true;
  family.alternates = true;
  return family;
}

ChatFamily Mistral(std::string_view name, std::vector<uint64_t> hashes, TurnMarkup user, TurnMarkup assistant,
                   SystemPlace place) {
  ChatFamily family;
  family.name = name;
  family.hashes = std::move(hashes);
  family.beginning = "<s>";
  family.system = {"", "\n\n"};
  family.user = user;
  family.assistant = assistant;
  family.end = "</s>";
  family.place = place;
  family.alternates = true;
  return family;
}

ChatFamily MistralV7() {
  ChatFamily family =
      Mistral("mistral-v7", {0xe4a9cc594604808aU}, {"[INST] ", "[/INST]"}, {" ", "</s>"}, SystemPlace::kOwnTurn);
  family.system = {"[SYSTEM_PROMPT] ", "[/SYSTEM_PROMPT]"};
  family.alternates = false;
  return family;
}

ChatFamily Phi3(std::string_view name, std::vector<uint64_t> hashes, std::string_view beginning) {
  ChatFamily family;
  family.name = name;
  family.hashes = std::move(hashes);
  family.beginning = beginning;
  family.system = {"<|system|>\n", "<|end|>\n"};
  family.user = {"<|user|>\n", "<|end|>\n"};
  family.assistant = {"<|assistant|>\n", "<|end|>\n"};
  family.end = "<|end|>";
  family.prompt = family.assistant.before;
  return family;
}

std::vector<ChatFamily> MakeFamilies() {
  constexpr std::string_view kSystem = "<|start_header_id|>system<|end_header_id|>\n\n";
  constexpr std::string_view kSystem31 =
      "<|start_header_id|>system<|end_header_id|>\n\n"
      "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
  constexpr std::string_view kSystem32 =
      "<|start_header_id|>system<|end_header_id|>\n\n"
      "Cutting Knowledge Date: December 2023\nToday Date: {date}\n\n";
  ChatFamily phi35 = Phi3("phi3.5", {0xcf278cde387a54c8U}, "");
  phi35.skips_empty_system = true;
  return {
      ChatMl("chatml", {0xa41d6bae9b9141bcU, 0x88bf4138d5c826f0U}, nullptr),
      ChatMl("smollm2", {0x09b5156a5cf6abfcU}, "You are a helpful AI assistant named SmolLM, trained by Hugging Face"),
      ChatMl("qwen2", {0x75e88977b2787cd7U}, "You are a helpful assistant."),
      ChatMl("qwen2.5", {0xe642ce246d7f2e3dU}, "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."),
      Llama2(),
      Llama3("llama3", {0x0e60067a5537498eU, 0x74891e390e614ae2U}, kSystem),
      DatedLlama3("llama3.1", {0xcc0368e1ffb6b958U}, kSystem31),
      DatedLlama3("llama3.2", {0x368f4c34b8554414U}, kSystem32),
      Gemma("gemma", {0x5c10ee65212d93b3U}, SystemPlace::kRefused),
      Gemma("gemma3", {0x1d7eb3182dbd4071U}, SystemPlace::kFirstUser),
      Mistral("mistral", {0x8c734b90b4f8d84dU}, {"[INST] ", " [/INST]"}, {"", "</s>"}, SystemPlace::kRefused),
      Mistral("mistral-v0.1", {0xc730acc029ce6ee0U}, {"[INST] ", " [/INST]"}, {"", "</s> "}, SystemPlace::kRefused),
      Mistral("mistral-v1", {0x46eac0bf5c765c47U}, {" [INST] ", " [/INST]"}, {" ", "</s>"}, SystemPlace::kFirstUser),
      Mistral("mistral-nemo", {0x20783e9d94168233U}, {"[INST]", "[/INST]"}, {"", "</s>"}, SystemPlace::kLastUser),
      MistralV7(),
      Phi3("phi3-small", {0x475fd3e16d05c1afU}, "<|endoftext|>"),
      phi35,
  };
}

}  // namespace

const std::vector<ChatFamily>& ChatFamilies() {
  static const std::vector<ChatFamily> families = MakeFamilies();
  return families;
}

}  // namespace kuiper_infer::text
