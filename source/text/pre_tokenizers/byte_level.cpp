// SPDX-License-Identifier: MIT
#include "text/byte_alphabet.hpp"
#include "text/pre_tokenizers/pre_tokenizers.hpp"

namespace kuiper_infer::text {
namespace {

constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Copies the pieces to a new text, where a function appends each piece.
template <class Append>
void Rewrite(Pieces& pieces, const Append& append) {
  std::string text;
  text.reserve(pieces.text.size() * 3 / 2);
  for (Range& range : pieces.ranges) {
    const std::size_t begin = text.size();
    append(range.Of(pieces.text), text);
    range = {begin, text.size()};
  }
  pieces.text = std::move(text);
}

class ByteLevel : public PreTokenizer {
 public:
  ByteLevel(bool prefix_space, std::unique_ptr<const Pattern> pattern)
      : prefix_space_(prefix_space), pattern_(std::move(pattern)) {}

  void Apply(Pieces& pieces) const override {
    if (prefix_space_) {
      Rewrite(pieces, [](std::string_view piece, std::string& text) {
        if (piece[0] != ' ') text += ' ';
        text += piece;
      });
    }
    if (pattern_) Divide(*pattern_, Division::kIsolated, false, pieces);
    Rewrite(pieces, AppendAsAlphabet);
  }

 private:
  bool prefix_space_;
  std::unique_ptr<const Pattern> pattern_;
};

}  // namespace

PreTokenizerPtr ByteLevelSplit(bool prefix_space, bool use_regex) {
  return std::make_unique<ByteLevel>(prefix_space, use_regex ? RegexPattern(kGpt2, "GPT-2") : nullptr);
}

}  // namespace kuiper_infer::text
