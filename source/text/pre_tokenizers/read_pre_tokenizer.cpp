// SPDX-License-Identifier: MIT
#include "text/characters.hpp"
#include "text/pre_tokenizers/pre_tokenizers.hpp"

namespace kuiper_infer::text {
namespace {

/// Cuts a text into words and what stands between words.
PreTokenizerPtr WordsAndMarks(const std::string& place) {
  const std::string word = kWordCharacters;
  return PatternSplit(RegexPattern("[" + word + "]+|[^" + word + "\\s]+", place), Division::kRemoved, true);
}

PreTokenizerPtr AtCharacters(bool (*has_property)(char32_t), Division division) {
  return PatternSplit(CharacterPattern(has_property), division, false);
}

PreTokenizerPtr ReadSequence(const JsonPart& part) {
  std::vector<PreTokenizerPtr> steps;
  for (const JsonPart& step : part.At("pretokenizers").Elements()) steps.push_back(ReadPreTokenizer(step));
  return PreTokenizerSequence(std::move(steps));
}

}  // namespace

PreTokenizerPtr BertSplit() {
  std::vector<PreTokenizerPtr> steps;
  steps.push_back(AtCharacters(IsWhiteSpace, Division::kRemoved));
  steps.push_back(AtCharacters(IsPunctuation, Division::kIsolated));
  return PreTokenizerSequence(std::move(steps));
}

PreTokenizerPtr ReadPreTokenizer(const JsonPart& part) {
  const std::string& type = part.At("type").Text();
  if (type == "Sequence") return ReadSequence(part);
  if (type == "ByteLevel") return ByteLevelSplit(part.Bool("add_prefix_space", true), part.Bool("use_regex", true));
  if (type == "Split") {
    return PatternSplit(ReadPattern(part.At("pattern")), ReadDivision(part.At("behavior")), part.Bool("invert", false));
  }
  if (type == "CharDelimiterSplit")
    return PatternSplit(LiteralPattern(part.At("delimiter").Text()), Division::kRemoved, false);
  if (type == "Digits") {
    return AtCharacters(IsNumeric, part.Bool("individual_digits", false) ? Division::kIsolated : Division::kContiguous);
  }
  if (type == "Punctuation") {
    const auto behavior = part.Optional("behavior");
    return AtCharacters(IsPunctuation, behavior ? ReadDivision(*behavior) : Division::kIsolated);
  }
  if (type == "WhitespaceSplit") return AtCharacters(IsWhiteSpace, Division::kRemoved);
  if (type == "Whitespace") return WordsAndMarks(part.place());
  if (type == "BertPreTokenizer") return BertSplit();
  if (type == "Metaspace") return MetaspaceSplit(ReadMetaspace(part));
  part.Unsupported("the pre-tokenizer '" + type + "'");
}

}  // namespace kuiper_infer::text
