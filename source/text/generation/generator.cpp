// SPDX-License-Identifier: MIT
#include "kuiper_infer/text/generator.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "text/generation/answer_impl.hpp"
#include "text/generation/conversation.hpp"
#include "text/generation/stop_filter.hpp"
#include "text/sampling/sampling_checks.hpp"

namespace kuiper_infer::text {
namespace {

/// A shared beginning is kept if it has at least this number of tokens: it costs a copy of the states.
constexpr int64_t kFewestShared = 16;
constexpr int64_t kMostChunk = 1 << 16;

int64_t CommonTokens(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  const auto limit = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::mismatch(a.begin(), a.begin() + limit, b.begin()).first - a.begin();
}

void Expect(bool possible, const std::string& name, int64_t value, const std::string& expected) {
  if (!possible) throw Error(ErrorCode::kInput, name + " is " + std::to_string(value) + ", expected " + expected);
}

}  // namespace

std::set<int64_t> Conversation::Endings(const GenerateOptions& options) const {
  std::set<int64_t> endings(options.stop_tokens.begin(), options.stop_tokens.end());
  if (!options.ignore_endings) endings.insert(tokenizer.endings().begin(), tokenizer.endings().end());
  return endings;
}

TokenPrompt Conversation::ChatPrompt(const std::vector<ChatMessage>& messages, const GenerateOptions& options) {
  if (!chat) chat = ChatTemplate::OfJinja(tokenizer.chat_template());
  TokenPrompt prompt{tokenizer.Encode(chat->Render(messages)), 0, Endings(options)};
  const std::optional<int64_t> end = tokenizer.Find(chat->end());
  if (end && !options.ignore_endings) prompt.endings.insert(*end);
  // Another conversation with the same system message: what both have in common at their beginning is shared.
  std::vector<ChatMessage> other = {{"user", "-"}};
  if (messages.front().role == "system") other.insert(other.begin(), messages.front());
  prompt.shared = CommonTokens(prompt.tokens, tokenizer.Encode(chat->Render(other)));
  if (prompt.shared < kFewestShared) prompt.shared = 0;
  return prompt;
}

void Conversation::Check(const TokenPrompt& prompt, const GenerateOptions& options) const {
  const DecoderFacts& facts = state.facts();
  const auto count = static_cast<int64_t>(prompt.tokens.size());
  if (count == 0) throw Error(ErrorCode::kInput, "the prompt is empty, expected at least one token");
  if (facts.max_length > 0 && count > facts.max_length) {
    throw Error(ErrorCode::kInput, "the prompt has " + std::to_string(count) + " tokens, the model allows at most " +
                                       std::to_string(facts.max_length));
  }
  for (const int64_t token : prompt.tokens) CheckToken(token, facts.vocabulary, "a token of the prompt");
  for (const int64_t token : options.stop_tokens) CheckToken(token, facts.vocabulary, "a stop token");
  CheckStops(options.stop);
  CheckSamplingOptions(options.sampling, Vocabulary());
  Expect(options.max_tokens >= 0, "max_tokens", options.max_tokens, "a number of tokens, or 0 for no limit");
  Expect(options.prompt_chunk > 0 && options.prompt_chunk <= kMostChunk, "prompt_chunk", options.prompt_chunk,
         "1 to " + std::to_string(kMostChunk));
  constexpr int64_t kMostGuesses = TokenState::kGuesses - 1;
  Expect(options.lookup >= 0 && options.lookup <= kMostGuesses, "lookup", options.lookup,
         "0 to " + std::to_string(kMostGuesses));
  if (options.lookup > 0 && !facts.all_logits) {
    throw Error(ErrorCode::kUnsupported,
                "lookup needs the logits of all tokens of a run, the model gives those of the last one: export it with "
                "logits=\"all\"");
  }
  if (options.lookup > 0 && !facts.can_truncate) {
    throw Error(ErrorCode::kUnsupported, "lookup takes tokens back, which the model's states do not allow");
  }
}

Generator::Generator(const Model& model, const Tokenizer& tokenizer, std::optional<ChatTemplate> chat)
    : conversation_(
          std::make_shared<Conversation>(model, tokenizer, std::move(chat), std::make_shared<KeptPrefixes>())) {}

Answer Generator::Generate(const std::string& prompt, const GenerateOptions& options) {
  return GenerateFrom(conversation_->tokenizer.Encode(prompt), options);
}

Answer Generator::Generate(const std::vector<ChatMessage>& messages, const GenerateOptions& options) {
  return Answer(std::make_unique<Answer::Impl>(conversation_, conversation_->ChatPrompt(messages, options), options));
}

Answer Generator::GenerateFrom(std::vector<int64_t> tokens, const GenerateOptions& options) {
  TokenPrompt prompt{std::move(tokens), 0, conversation_->Endings(options)};
  return Answer(std::make_unique<Answer::Impl>(conversation_, std::move(prompt), options));
}

Generator Generator::NewConversation() const {
  return Generator(std::make_shared<Conversation>(conversation_->model, conversation_->tokenizer, conversation_->chat,
                                                  conversation_->prefixes));
}

void Generator::Reset() {
  ++conversation_->answers;  // an answer that is under way loses the state of its tokens
  conversation_->state.Reset();
}

const std::vector<int64_t>& Generator::kept() const { return conversation_->state.tokens(); }
int64_t Generator::max_length() const { return conversation_->state.facts().max_length; }

}  // namespace kuiper_infer::text
