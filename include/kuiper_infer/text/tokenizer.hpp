// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// How Tokenizer::Encode treats a text.
struct EncodeOptions {
  /// Whether to add what the file's post-processor adds to a text: [CLS] and [SEP], or the token that begins a text.
  bool add_special_tokens = true;
  /// Whether the names of special tokens in the text stand for these tokens. Off, they are text like any other, so that
  /// the author of a text does not control the model.
  bool parse_special_tokens = false;
};

/// A part of a prompt. Markup is what a chat template writes: the names of special tokens in it stand for these tokens.
/// Everything else was said by somebody, and such names in it are text.
struct PromptPart {
  std::string text;
  bool markup = false;
};

struct TokenizerParts;

/// Turns texts into the numbers of a model's vocabulary and back, as the model's own tokenizer does. Texts are UTF-8;
/// bytes that are not are read as U+FFFD. A tokenizer never changes: any number of threads may use it at once. Copies
/// share everything.
class Tokenizer {
 public:
  /// Reads a tokenizer.json, the metadata of a GGUF file, or a vocab.txt of BERT's (one piece per line); the contents
  /// of the file tell which. Throws Error(kFile) that names the path for a file that is none of these, or is broken,
  /// and Error(kUnsupported) for a kind of tokenizer that is not known.
  static Tokenizer Load(const std::string& path);
  /// Reads the contents of such a file. `name` stands for the path in errors.
  static Tokenizer LoadFromMemory(std::string_view bytes, const std::string& name);

  /// The tokens of a text.
  std::vector<int64_t> Encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// The tokens of all parts, as of one text: a border between parts is no border between tokens. Nothing is added.
  std::vector<int64_t> Encode(const std::vector<PromptPart>& parts) const;
  /// The text of tokens, UTF-8. Special tokens are left out unless `special` is set. Throws Error(kInput) for a number
  /// outside of the vocabulary.
  std::string Decode(const std::vector<int64_t>& tokens, bool special = false) const;

  /// The number of tokens, added ones included: all tokens are less.
  int64_t size() const;
  /// The token of that name, as the file spells it.
  std::optional<int64_t> Find(std::string_view name) const;
  /// The name of a token, as the file spells it. Throws Error(kInput) for a number outside of the vocabulary.
  const std::string& Name(int64_t token) const;
  /// Whether a token is special: it stands for no text.
  bool special(int64_t token) const;
  /// The chat template (Jinja) that the file holds; empty if there is none.
  const std::string& chat_template() const;
  /// The token that begins a text and the tokens that end an answer, as far as the file names them.
  std::optional<int64_t> beginning() const;
  const std::vector<int64_t>& endings() const;

 private:
  friend class StreamDecoder;
  explicit Tokenizer(std::shared_ptr<const TokenizerParts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const TokenizerParts> parts_;
};

class DecoderRun;

/// Decodes tokens as they come. The pieces together are the text that Tokenizer::Decode gives; none ends within a
/// character. One thread at a time may use it.
class StreamDecoder {
 public:
  /// Special tokens are left out unless `special` is set.
  explicit StreamDecoder(Tokenizer tokenizer, bool special = false);
  StreamDecoder(StreamDecoder&&) noexcept;
  StreamDecoder& operator=(StreamDecoder&&) noexcept;
  ~StreamDecoder();

  /// The text that this token completes; empty if it ends within a character. Tokens that stand for single bytes give
  /// their text when another one follows them, since only all of them together tell which bytes are characters. Throws
  /// Error(kInput) for a number outside of the vocabulary.
  std::string Push(int64_t token);
  /// Bytes of characters that are not given out yet; empty if there are none.
  const std::string& pending() const { return pending_; }
  /// What is left at the end: U+FFFD if a character is not complete. The decoder can be used again.
  std::string Finish();

 private:
  Tokenizer tokenizer_;
  bool special_;
  std::unique_ptr<DecoderRun> run_;
  std::string pending_;
};

}  // namespace kuiper_infer::text
