// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "kuiper_infer/utils/error.hpp"
#include "text/byte_trie.hpp"
#include "text/models/models.hpp"
#include "text/regex.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

/// How much worse an unknown character is than the worst token.
constexpr double kUnknownPenalty = 10;
constexpr int32_t kNone = -1;

/// Takes the tokens whose scores, logarithms of probabilities, have the largest sum.
class Unigram : public Model {
 public:
  Unigram(Vocabulary vocabulary, std::vector<double> scores, int32_t unknown, bool byte_fallback)
      : Model(std::move(vocabulary)), scores_(std::move(scores)), unknown_(unknown), byte_fallback_(byte_fallback) {
    std::vector<ByteTrie::Entry> entries;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      entries.emplace_back(this->vocabulary().Name(static_cast<int64_t>(i)), static_cast<int32_t>(i));
      least = std::min(least, scores_[i]);
    }
    trie_ = ByteTrie(std::move(entries));
    unknown_score_ = least - kUnknownPenalty;
  }

  void Append(std::string_view piece, std::vector<int64_t>& tokens) const override {
    for (const Range& part : BestParts(piece)) AppendPart(part.Of(piece), tokens);
  }

 private:
  /// The best way to a place in the text: its last token, where that starts, and the sum of scores.
  struct Node {
    double score = 0;
    std::size_t start = 0;
    int32_t token = kNone;
    bool reached = false;
  };

  static void Improve(Node& node, double score, std::size_t start, int32_t token) {
    if (!node.reached || score > node.score) node = {score, start, token, true};
  }

  /// Viterbi's algorithm. Successive unknown characters are one part.
  std::vector<Range> BestParts(std::string_view piece) const {
    std::vector<Node> nodes(piece.size() + 1);
    for (std::size_t start = 0; start < piece.size();) {
      const double score = nodes[start].score;
      const std::size_t character = CharacterSize(piece[start]);
      bool has_character = false;
      trie_.ForEachPrefix(piece.substr(start), [&](std::size_t size, int32_t token) {
        Improve(nodes[start + size], score + scores_[static_cast<std::size_t>(token)], start, token);
        has_character = has_character || size == character;
      });
      if (!has_character) Improve(nodes[start + character], score + unknown_score_, start, Unknown());
      start += character;
    }
    std::vector<Range> parts;
    bool joins = false;
    for (std::size_t end = piece.size(); end > 0; end = nodes[end].start) {
      const bool is_unknown = nodes[end].token == unknown_;
      if (is_unknown && joins) {
        parts.back().begin = nodes[end].start;
      } else {
        parts.push_back({nodes[end].start, end});
      }
      joins = is_unknown;
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
  }

  void AppendPart(std::string_view part, std::vector<int64_t>& tokens) const {
    int32_t token = vocabulary().Find(part);
    if (token >= 0) {
      tokens.push_back(token);
      return;
    }
    const std::size_t before = tokens.size();
    bool has_bytes = byte_fallback_;
    for (std::size_t i = 0; has_bytes && i < part.size(); ++i) {
      token = vocabulary().FindByte(static_cast<unsigned char>(part[i]));
      tokens.push_back(token);
      has_bytes = token >= 0;
    }
    if (has_bytes) return;
    tokens.resize(before);
    tokens.push_back(Unknown());
  }

  int32_t Unknown() const {
    if (unknown_ == kNone) {
      throw Error(ErrorCode::kUnsupported, "the text needs a token for unknown characters, expected an 'unk_id'");
    }
    return unknown_;
  }

  std::vector<double> scores_;
  ByteTrie trie_;
  double unknown_score_;
  int32_t unknown_;
  bool byte_fallback_;
};

}  // namespace

ModelPtr ReadUnigram(const JsonPart& part) {
  const JsonPart vocabulary = part.At("vocab");
  std::vector<std::string> names;
  std::vector<double> scores;
  for (const JsonPart& entry : vocabulary.Elements()) {
    const std::vector<JsonPart> pair = entry.Elements();
    if (pair.size() != 2) entry.Expected("a token and its score");
    names.push_back(pair[0].Text());
    scores.push_back(pair[1].Real());
  }
  const int64_t last = static_cast<int64_t>(names.size()) - 1;
  const auto unknown = static_cast<int32_t>(part.Number("unk_id", 0, last, kNone));
  return std::make_unique<Unigram>(Vocabulary(std::move(names)), std::move(scores), unknown,
                                   part.Bool("byte_fallback", false));
}

}  // namespace kuiper_infer::text
