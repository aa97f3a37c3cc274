// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer.hpp"

namespace kuiper_infer::text {

struct ChatFamily;

/// What one side of a conversation says.
struct ChatMessage {
  std::string role;  ///< "system", "user" or "assistant"
  std::string content;
};

/// How a model's family writes a conversation down. Models carry that as a program in Jinja's language. This library
/// knows the programs of some families by their hash, and does what they do; it runs no program of a file.
class ChatTemplate {
 public:
  /// The template whose text in Jinja's language is `jinja`. Throws Error(kUnsupported) that lists the known ones if it
  /// is none of them.
  static ChatTemplate OfJinja(std::string_view jinja);
  /// The template of that name. Throws Error(kInput) that lists all names if there is none.
  static ChatTemplate ByName(std::string_view name);
  /// The names of the templates that are known.
  static std::vector<std::string> Names();

  const std::string& name() const { return name_; }
  /// The name of the token that ends what the assistant says.
  std::string_view end() const;

  /// The prompt for the next answer of the assistant, as apply_chat_template(messages, add_generation_prompt=True) of
  /// transformers writes it. Only the first message may have the role "system"; without one some templates write a
  /// system message of their own. `date` is the day that some templates write into the prompt ("27 Nov 2026"); empty:
  /// today, by the system's clock. Throws Error(kInput) if there are no messages, for roles that the template does not
  /// have, and for messages in an order that it refuses.
  std::vector<PromptPart> Render(const std::vector<ChatMessage>& messages, const std::string& date = "") const;
  /// The prompt as one text: the parts that Render returns, joined. Throws what Render throws.
  std::string RenderText(const std::vector<ChatMessage>& messages, const std::string& date = "") const;

 private:
  explicit ChatTemplate(const ChatFamily& family);

  const ChatFamily* family_;  ///< one of a table that lives as long as the program
  std::string name_;
};

}  // namespace kuiper_infer::text
