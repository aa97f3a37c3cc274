// SPDX-License-Identifier: MIT
#include "kuiper_infer/text/chat_template.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "text/chat/chat_family.hpp"
#include "text/chat/prompt_builder.hpp"
#include "text/chat/white_space.hpp"

namespace kuiper_infer::text {
namespace {

std::string KnownNames() {
  std::string text;
  for (const ChatFamily& family : ChatFamilies()) text += (text.empty() ? "" : ", ") + std::string(family.name);
  return text;
}

[[noreturn]] void Fail(const ChatFamily& family, const std::string& text) {
  throw Error(ErrorCode::kInput, "the chat template '" + std::string(family.name) + "' " + text);
}

void CheckRoles(const ChatFamily& family, const std::vector<ChatMessage>& messages, std::size_t first) {
  if (first == messages.size() && !(family.place == SystemPlace::kOwnTurn && first > 0)) {
    Fail(family, "needs a message of the user, the conversation has none");
  }
  for (std::size_t i = first; i < messages.size(); ++i) {
    const std::string& role = messages[i].role;
    const std::string which = "message " + std::to_string(i + 1) + " has the role '" + role + "', ";
    if (role == "system") Fail(family, "allows only the first message to be the system's: " + which + "another one");
    if (role != "user" && role != "assistant")
      Fail(family, "refuses the conversation: " + which + "expected system, user or assistant");
    const char* const expected = (i - first) % 2 == 0 ? "user" : "assistant";
    if (family.alternates && role != expected)
      Fail(family, "lets user and assistant take turns: " + which + "expected " + expected);
  }
}

}  // namespace

uint64_t HashOfJinja(std::string_view jinja) {
  if (!jinja.empty() && jinja.back() == '\n') jinja.remove_suffix(1);
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : jinja) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

ChatTemplate::ChatTemplate(const ChatFamily& family) : family_(&family), name_(family.name) {}

ChatTemplate ChatTemplate::OfJinja(std::string_view jinja) {
  const uint64_t hash = HashOfJinja(jinja);
  for (const ChatFamily& family : ChatFamilies()) {
    if (std::count(family.hashes.begin(), family.hashes.end(), hash) > 0) return ChatTemplate(family);
  }
  throw Error(ErrorCode::kUnsupported,
              (jinja.empty() ? "the tokenizer has no chat template"
                             : "the tokenizer's chat template is none of those that are known") +
                  std::string("; if one of these suits the model, give it by name: ") + KnownNames());
}

ChatTemplate ChatTemplate::ByName(std::string_view name) {
  for (const ChatFamily& family : ChatFamilies()) {
    if (family.name == name) return ChatTemplate(family);
  }
  throw Error(ErrorCode::kInput,
              "there is no chat template '" + std::string(name) + "', expected one of " + KnownNames());
}

std::vector<std::string> ChatTemplate::Names() {
  std::vector<std::string> names;
  for (const ChatFamily& family : ChatFamilies()) names.emplace_back(family.name);
  return names;
}

std::string_view ChatTemplate::end() const { return family_->end; }

std::vector<PromptPart> ChatTemplate::Render(const std::vector<ChatMessage>& messages, const std::string& date) const {
  const ChatFamily& family = *family_;
  const bool given = !messages.empty() && messages.front().role == "system";
  CheckRoles(family, messages, given ? 1 : 0);
  if (given && family.place == SystemPlace::kRefused) Fail(family, "has no system message, the conversation has one");
  const char* const otherwise = family.default_system;
  bool has_system = given || otherwise != nullptr;
  std::string_view system =
      given ? std::string_view(messages.front().content) : (otherwise == nullptr ? "" : otherwise);
  if (family.trims_system) system = Trim(system);
  if (system.empty() && family.skips_empty_system) has_system = false;

  PromptBuilder prompt(date);
  const auto write_system = [&] {
    prompt.Markup(family.system.before);
    prompt.Said(system);
    prompt.Markup(family.system.after);
  };
  prompt.Markup(family.beginning);
  if (has_system && family.place == SystemPlace::kOwnTurn) write_system();
  const std::size_t first = given ? 1 : 0;
  for (std::size_t i = first; i < messages.size(); ++i) {
    const bool user = messages[i].role == "user";
    const std::size_t place = family.place == SystemPlace::kFirstUser ? first : messages.size() - 1;
    const bool takes_system = has_system && user && family.place != SystemPlace::kOwnTurn && i == place;
    const TurnMarkup& turn = user ? family.user : family.assistant;
    prompt.Markup(turn.before);
    if (takes_system) write_system();
    std::string_view content = messages[i].content;
    // Llama 2 trims system message and user's message as one text. It begins with markup, so only its end is trimmed.
    const bool follows_markup = takes_system && !family.system.before.empty();
    if (family.trims) content = follows_markup ? TrimEnd(content) : Trim(content);
    prompt.Said(content);
    prompt.Markup(turn.after);
  }
  prompt.Markup(family.prompt);
  return prompt.Take();
}

std::string ChatTemplate::RenderText(const std::vector<ChatMessage>& messages, const std::string& date) const {
  std::string text;
  for (const PromptPart& part : Render(messages, date)) text += part.text;
  return text;
}

}  // namespace kuiper_infer::text
