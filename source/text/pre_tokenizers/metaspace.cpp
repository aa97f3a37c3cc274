// SPDX-License-Identifier: MIT
#include "text/pre_tokenizers/pre_tokenizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceOptions options) : options_(std::move(options)), marks_(LiteralPattern(options_.mark)) {}

  void Apply(Pieces& pieces) const override {
    std::string text;
    std::vector<Range> ranges;
    bool is_first = pieces.at_start;
    for (const Range& piece : pieces.ranges) {
      const std::size_t begin = text.size();
      AppendMarked(piece.Of(pieces.text), is_first && piece.begin == 0, text);
      ranges.push_back({begin, text.size()});
      is_first = false;
    }
    pieces.text = std::move(text);
    pieces.ranges = std::move(ranges);
    if (options_.split) Divide(*marks_, Division::kMergedWithNext, false, pieces);
  }

 private:
  using Prepend = MetaspaceOptions::Prepend;

  void AppendMarked(std::string_view piece, bool is_first, std::string& text) const {
    const bool has_mark = piece[0] == ' ' || piece.substr(0, options_.mark.size()) == options_.mark;
    const bool wants_mark = options_.prepend == Prepend::kAlways || (options_.prepend == Prepend::kFirst && is_first);
    if (wants_mark && !has_mark) text += options_.mark;
    for (const char c : piece) {
      if (c == ' ') {
        text += options_.mark;
      } else {
        text += c;
      }
    }
  }

  MetaspaceOptions options_;
  std::unique_ptr<const Pattern> marks_;
};

}  // namespace

MetaspaceOptions ReadMetaspace(const JsonPart& part) {
  MetaspaceOptions options;
  options.mark = part.Text("replacement", u8"\u2581");
  if (options.mark.empty() || options.mark.size() != CharacterSize(options.mark[0])) {
    part.At("replacement").Expected("one character");
  }
  options.split = part.Bool("split", true);
  const std::string scheme = part.Text("prepend_scheme", part.Bool("add_prefix_space", true) ? "always" : "never");
  if (scheme == "first") {
    options.prepend = MetaspaceOptions::Prepend::kFirst;
  } else if (scheme == "never") {
    options.prepend = MetaspaceOptions::Prepend::kNever;
  } else if (scheme != "always") {
    part.Unsupported("the scheme '" + scheme + "'");
  }
  return options;
}

PreTokenizerPtr MetaspaceSplit(MetaspaceOptions options) { return std::make_unique<Metaspace>(std::move(options)); }

}  // namespace kuiper_infer::text
