// SPDX-License-Identifier: MIT
#include <array>

#include "text/models/merge_symbols.hpp"
#include "text/models/models.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// Characters below this code have their tokens in a table. GPT-2's alphabet for bytes is among them.
constexpr std::size_t kTableSize = 0x400;

class Bpe : public Model {
 public:
  Bpe(Vocabulary vocabulary, MergeTable merges, BpeOptions options)
      : Model(std::move(vocabulary)), merges_(std::move(merges)), options_(std::move(options)) {
    for (std::size_t code = 0; code < kTableSize; ++code) {
      std::string character;
      AppendUtf8(static_cast<char32_t>(code), character);
      characters_[code] = this->vocabulary().Find(character);
    }
    FindWholePieces();
  }

  void Append(std::string_view piece, std::vector<int64_t>& tokens) const override {
    if (const int32_t token = vocabulary().Find(piece); token >= 0 && is_whole_[static_cast<std::size_t>(token)]) {
      tokens.push_back(token);
      return;
    }
    std::vector<int32_t> symbols;
    symbols.reserve(piece.size());
    AppendSymbols(piece, symbols);
    MergeSymbols(merges_, symbols);
    tokens.insert(tokens.end(), symbols.begin(), symbols.end());
  }

 private:
  /// Most pieces of a real text are tokens, and if merging a token's name gives this token, it need not be done again.
  void FindWholePieces() {
    is_whole_.assign(static_cast<std::size_t>(vocabulary().size()), options_.ignore_merges);
    if (options_.ignore_merges) return;
    std::vector<int32_t> symbols;
    for (int64_t token = 0; token < vocabulary().size(); ++token) {
      const std::string& name = vocabulary().Name(token);
      symbols.clear();
      if (!name.empty()) AppendSymbols(name, symbols);
      MergeSymbols(merges_, symbols);
      is_whole_[static_cast<std::size_t>(token)] = symbols.size() == 1 && symbols[0] == token;
    }
  }

  int32_t Symbol(char32_t code, std::string_view character, bool is_first, bool is_last) const {
    const bool is_plain = (is_first || options_.continuing_prefix.empty()) && (!is_last || options_.end_suffix.empty());
    if (is_plain) return code < kTableSize ? characters_[code] : vocabulary().Find(character);
    std::string name = is_first ? "" : options_.continuing_prefix;
    name += character;
    if (is_last) name += options_.end_suffix;
    return vocabulary().Find(name);
  }

  bool AppendBytes(std::string_view character, std::vector<int32_t>& symbols) const {
    const std::size_t before = symbols.size();
    for (const char byte : character) {
      symbols.push_back(vocabulary().FindByte(static_cast<unsigned char>(byte)));
      if (symbols.back() < 0) {
        symbols.resize(before);
        return false;
      }
    }
    return true;
  }

  void AppendSymbols(std::string_view piece, std::vector<int32_t>& symbols) const {
    bool unknown = false;  // an unknown character waits for those that it is fused with
    const auto flush = [&] {
      if (unknown) symbols.push_back(options_.unknown->Get());
      unknown = false;
    };
    ForEachCharacter(piece, [&](char32_t code, std::size_t start, std::size_t size) {
      const std::string_view character = piece.substr(start, size);
      const int32_t symbol = Symbol(code, character, start == 0, start + size == piece.size());
      if (symbol >= 0) {
        flush();
        symbols.push_back(symbol);
      } else if (!(options_.byte_fallback && AppendBytes(character, symbols)) && options_.unknown) {
        if (!options_.fuse_unknown) flush();
        unknown = true;
      }
    });
    flush();
  }

  MergeTable merges_;
  BpeOptions options_;
  std::array<int32_t, kTableSize> characters_;
  std::vector<bool> is_whole_;  ///< whether a piece that is this token's name becomes this token
};

}  // namespace

ModelPtr BpeModel(Vocabulary vocabulary, MergeTable merges, BpeOptions options) {
  return std::make_unique<Bpe>(std::move(vocabulary), std::move(merges), std::move(options));
}

}  // namespace kuiper_infer::text
