// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../model.hpp"
#include "chat_template.hpp"
#include "generate_options.hpp"
#include "tokenizer.hpp"

namespace kuiper_infer::text {

struct Conversation;

/// An answer that is computed while it is read, once from its beginning to its end.
class Answer {
 public:
  /// Computes the next piece. Returns false if the one before it was the last. Throws Error; the answer is then over,
  /// and the generator can be used again.
  bool Next(Piece& piece);
  /// What is known so far.
  AnswerFigures figures() const;

  /// Goes over the pieces.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Piece;
    using difference_type = std::ptrdiff_t;
    using pointer = const Piece*;
    using reference = const Piece&;

    const Piece& operator*() const { return piece_; }
    const Piece* operator->() const { return &piece_; }
    Iterator& operator++() {
      if (!answer_->Next(piece_)) answer_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const Iterator& other) const { return answer_ == other.answer_; }
    bool operator!=(const Iterator& other) const { return answer_ != other.answer_; }

   private:
    friend class Answer;
    explicit Iterator(Answer* answer) : answer_(answer) {}

    Answer* answer_;
    Piece piece_;
  };
  /// Computes the next piece, as Next does.
  Iterator begin() { return ++Iterator(this); }
  Iterator end() { return Iterator(nullptr); }

  Answer(Answer&&) noexcept;
  Answer& operator=(Answer&&) noexcept;
  ~Answer();

 private:
  friend class Generator;
  struct Impl;
  explicit Answer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// Continues texts and conversations by a decoder (docs/decoders.md):
///
///     Generator generator(Model::Load("m.pnnx.param", "m.pnnx.bin"), Tokenizer::Load("tokenizer.json"));
///     for (const Piece& piece : generator.Generate("Once upon a time", options)) std::cout << piece.text <<
///     std::flush;
///
/// A generator holds one conversation: the keys and values of the tokens that it has computed last. If the next prompt
/// begins with the same tokens, as in a chat that goes on, only the rest is computed. Copies are the same generator. It
/// is used by one thread at a time, and a new answer ends the one before it.
class Generator {
 public:
  /// `chat` is the template of conversations; without it the one that the tokenizer's file holds. Throws
  /// Error(kUnsupported) that says what was found and what is expected if the model is no decoder.
  Generator(const Model& model, const Tokenizer& tokenizer, std::optional<ChatTemplate> chat = std::nullopt);

  /// Continues a text; names of special tokens in it are text. Throws Error(kInput) if the prompt is empty or longer
  /// than the model allows, if it has tokens that the model does not know, and for options that are not possible. The
  /// prompt is computed with the first piece.
  Answer Generate(const std::string& prompt, const GenerateOptions& options = {});
  /// The assistant's next message. Throws what Generate of a text, ChatTemplate::OfJinja and ChatTemplate::Render
  /// throw. A system message is computed once for this generator and all that NewConversation has made of it; the last
  /// few are kept.
  Answer Generate(const std::vector<ChatMessage>& messages, const GenerateOptions& options = {});
  /// Continues tokens.
  Answer GenerateFrom(std::vector<int64_t> tokens, const GenerateOptions& options = {});

  /// A generator for another conversation, for example in another thread, with the same model and tokenizer and the
  /// same kept system messages.
  Generator NewConversation() const;
  /// Forgets the conversation.
  void Reset();

  /// The tokens that the generator has computed and kept.
  const std::vector<int64_t>& kept() const;
  /// The most tokens of prompt and answer together; 0 if there is no limit.
  int64_t max_length() const;

 private:
  explicit Generator(std::shared_ptr<Conversation> conversation) : conversation_(std::move(conversation)) {}

  std::shared_ptr<Conversation> conversation_;
};

}  // namespace kuiper_infer::text
