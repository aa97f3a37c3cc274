// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace demos {

/// BERT's tokenizer: words are cut into the longest pieces that the vocabulary has.
///
/// Words such as [CLS] and [MASK] in a text are text, not tokens, so that the author of a text does not control the
/// model.
class WordPiece {
 public:
  /// One piece per line, in the order of their numbers; pieces within a word start with ##. Throws std::runtime_error
  /// if the file cannot be read, or lacks [UNK], [CLS] or [SEP].
  static WordPiece Read(const std::string& path);

  explicit WordPiece(const std::vector<std::string>& vocabulary);

  /// The numbers of [CLS], the text's pieces and [SEP]. A word that cannot be cut, or has over 100 characters, is
  /// [UNK].
  std::vector<int64_t> Encode(std::string_view text) const;

 private:
  int64_t Number(const std::string& piece) const;
  void AppendPieces(std::string_view word, std::vector<int64_t>& numbers) const;

  std::unordered_map<std::string, int64_t> numbers_;
  int64_t unknown_ = 0;
  int64_t start_ = 0;
  int64_t end_ = 0;
};

}  // namespace demos
