// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "text/models/models.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// Cuts a word into the longest tokens, from its start on.
class WordPiece : public Model {
 public:
  WordPiece(Vocabulary vocabulary, WordPieceOptions options)
      : Model(std::move(vocabulary)), options_(std::move(options)) {}

  void Append(std::string_view piece, std::vector<int64_t>& tokens) const override {
    const std::size_t before = tokens.size();
    bool is_known = CountCharacters(piece) <= options_.most_characters;
    for (std::size_t start = 0; is_known && start < piece.size();) {
      const std::size_t size = AppendLongest(piece.substr(start), start == 0 ? "" : options_.continuing_prefix, tokens);
      is_known = size > 0;
      start += size;
    }
    if (is_known) return;
    tokens.resize(before);
    tokens.push_back(options_.unknown.Get());
  }

 private:
  /// Appends the longest token at the start of a text. Returns the number of its bytes there; 0 if there is no token.
  std::size_t AppendLongest(std::string_view text, const std::string& prefix, std::vector<int64_t>& tokens) const {
    std::string name = prefix;
    name += text.substr(0, vocabulary().longest());
    for (std::size_t size = name.size() - prefix.size(); size > 0; --size) {
      if (size < text.size() && IsContinuation(text[size])) continue;
      const int32_t token = vocabulary().Find(std::string_view(name).substr(0, prefix.size() + size));
      if (token < 0) continue;
      tokens.push_back(token);
      return size;
    }
    return 0;
  }

  WordPieceOptions options_;
};

/// A word is a token or unknown.
class WordLevel : public Model {
 public:
  WordLevel(Vocabulary vocabulary, UnknownToken unknown) : Model(std::move(vocabulary)), unknown_(std::move(unknown)) {}

  void Append(std::string_view piece, std::vector<int64_t>& tokens) const override {
    const int32_t token = vocabulary().Find(piece);
    tokens.push_back(token >= 0 ? token : unknown_.Get());
  }

 private:
  UnknownToken unknown_;
};

}  // namespace

ModelPtr WordPieceModel(Vocabulary vocabulary, WordPieceOptions options) {
  return std::make_unique<WordPiece>(std::move(vocabulary), std::move(options));
}

ModelPtr ReadWordPiece(const JsonPart& part) {
  Vocabulary vocabulary = ReadVocabulary(part.At("vocab"));
  WordPieceOptions options{UnknownToken(part.Text("unk_token", "[UNK]"), vocabulary)};
  options.continuing_prefix = part.Text("continuing_subword_prefix", "##");
  options.most_characters =
      static_cast<std::size_t>(part.Number("max_input_chars_per_word", 0, std::numeric_limits<int32_t>::max(), 100));
  return WordPieceModel(std::move(vocabulary), std::move(options));
}

ModelPtr ReadWordLevel(const JsonPart& part) {
  Vocabulary vocabulary = ReadVocabulary(part.At("vocab"));
  UnknownToken unknown(part.Text("unk_token", "<unk>"), vocabulary);
  return std::make_unique<WordLevel>(std::move(vocabulary), std::move(unknown));
}

}  // namespace kuiper_infer::text
