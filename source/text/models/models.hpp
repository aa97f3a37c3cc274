// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/model.hpp"
#include "text/models/merge_table.hpp"

namespace kuiper_infer::text {

/// The token for text that no other token covers. If the vocabulary lacks it, only texts that need it are an error.
class UnknownToken {
 public:
  UnknownToken(std::string name, const Vocabulary& vocabulary)
      : name_(std::move(name)), token_(vocabulary.Find(name_)) {}
  /// A token that is there.
  explicit UnknownToken(int32_t token) : token_(token) {}
  /// Throws Error(kUnsupported) if the vocabulary lacks the token.
  int32_t Get() const;

 private:
  std::string name_;
  int32_t token_;
};

/// Byte-pair encoding: the characters of a piece are merged pair by pair, in the order of the merges.
struct BpeOptions {
  std::optional<UnknownToken> unknown;  ///< for characters that are no token; without it, they are dropped
  bool fuse_unknown = false;            ///< successive unknown characters are one token
  bool byte_fallback = false;           ///< unknown characters are the tokens of their bytes
  bool ignore_merges = false;           ///< a piece that is a token needs no merges
  std::string continuing_prefix;        ///< before each character of a piece but the first
  std::string end_suffix;               ///< behind the last character of a piece
};
ModelPtr BpeModel(Vocabulary vocabulary, MergeTable merges, BpeOptions options);

using Merges = std::vector<std::pair<std::string, std::string>>;
/// The table of listed merges. The merged token is the left one and the right one but its first `prefix` bytes. Throws
/// Error(kFile) that begins with `place` if a merge needs a token that the vocabulary lacks.
MergeTable ListedMerges(const Vocabulary& vocabulary, const Merges& merges, std::size_t prefix,
                        const std::string& place);
/// SentencePiece lists no merges. Any two tokens that together are a token merge, the best score of a result first.
MergeTable ScoredMerges(const Vocabulary& vocabulary, const std::vector<float>& scores);

struct WordPieceOptions {
  UnknownToken unknown;                  ///< for a word that cannot be cut
  std::string continuing_prefix = "##";  ///< of tokens that do not begin a word
  std::size_t most_characters = 100;     ///< longer words are unknown
};
ModelPtr WordPieceModel(Vocabulary vocabulary, WordPieceOptions options);

// Each reads its kind of the part `model`.
ModelPtr ReadBpe(const JsonPart& part);
ModelPtr ReadWordPiece(const JsonPart& part);
ModelPtr ReadUnigram(const JsonPart& part);
ModelPtr ReadWordLevel(const JsonPart& part);

/// Reads a member {"token": number, ...}.
Vocabulary ReadVocabulary(const JsonPart& part);

}  // namespace kuiper_infer::text
