// SPDX-License-Identifier: MIT
#include "text/formats/gguf_kinds.hpp"

#include <cmath>

#include "kuiper_infer/utils/error.hpp"
#include "text/decoders/decoders.hpp"
#include "text/formats/gguf_families.hpp"
#include "text/models/models.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/pre_tokenizers/pre_tokenizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

constexpr const char* kMark = u8"\u2581";  // in the place of a space
constexpr std::size_t kMarkSize = 3;

Merges ReadMerges(const GgufMetadata& file) {
  Merges merges;
  for (const std::string_view merge : file.Texts(GgufKey("merges"))) {
    const std::size_t space = merge.find(' ', 1);
    if (space == std::string_view::npos)
      file.Fail(GgufKey("merges"), "has '" + WellFormed(merge) + "', expected two tokens");
    merges.emplace_back(WellFormed(merge.substr(0, space)), WellFormed(merge.substr(space + 1)));
  }
  return merges;
}

/// The token for text that no other token covers.
int32_t ReadUnknown(const GgufMetadata& file, uint64_t otherwise, const GgufNames& names) {
  const uint64_t token = file.Number(GgufKey("unknown_token_id")).value_or(otherwise);
  if (token >= names.size()) {
    file.Fail(GgufKey("unknown_token_id"),
              "is " + std::to_string(token) + ", expected less than " + std::to_string(names.size()));
  }
  return static_cast<int32_t>(token);
}

std::vector<float> ReadScores(const GgufMetadata& file, const GgufNames& names) {
  std::vector<float> scores = file.Reals(GgufKey("scores"));
  if (scores.size() != names.size()) {
    file.Fail(GgufKey("scores"),
              "has " + std::to_string(scores.size()) + " elements, expected " + std::to_string(names.size()));
  }
  for (const float score : scores) {
    if (!std::isfinite(score))
      file.Fail(GgufKey("scores"), "has " + std::to_string(score) + ", expected finite numbers");
  }
  return scores;
}

}  // namespace

GgufEdges ReadGgufBytePairs(const GgufMetadata& file, GgufNames names, TokenizerParts& parts) {
  const std::string_view pre = file.Has(GgufKey("pre")) ? file.Text(GgufKey("pre")) : "";
  const GgufFamily* const family = FindGgufFamily(pre);
  if (family == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                file.name() + ": tokenizer.ggml.pre '" + WellFormed(pre) + "' is a family of models that is not known");
  }
  std::vector<PreTokenizerPtr> steps;
  for (const char* const pattern : family->patterns) {
    steps.push_back(PatternSplit(RegexPattern(pattern, file.name()), Division::kIsolated, false));
  }
  steps.push_back(ByteLevelSplit(false, false));
  parts.pre_tokenizer = PreTokenizerSequence(std::move(steps));
  BpeOptions options;
  options.ignore_merges = family->ignore_merges;
  Vocabulary vocabulary(std::move(names));
  MergeTable merges = ListedMerges(vocabulary, ReadMerges(file), 0, file.name() + ": " + GgufKey("merges"));
  parts.model = BpeModel(std::move(vocabulary), std::move(merges), std::move(options));
  parts.decoder = ByteLevelDecoder();
  return {family->adds_beginning};
}

GgufEdges ReadGgufSentencePiece(const GgufMetadata& file, GgufNames names, TokenizerParts& parts) {
  const bool prepends = file.Flag(GgufKey("add_space_prefix")).value_or(true);
  std::vector<NormalizerPtr> steps;
  if (prepends) steps.push_back(PrependNormalizer(kMark));
  steps.push_back(ReplaceNormalizer(LiteralPattern(" "), kMark));
  parts.normalizer = NormalizerSequence(std::move(steps));
  const std::vector<float> scores = ReadScores(file, names);
  BpeOptions options;
  options.unknown = UnknownToken(ReadUnknown(file, 0, names));
  options.byte_fallback = true;
  Vocabulary vocabulary(std::move(names));
  MergeTable merges = ScoredMerges(vocabulary, scores);
  parts.model = BpeModel(std::move(vocabulary), std::move(merges), std::move(options));
  std::vector<DecoderPtr> decoders;
  decoders.push_back(ReplaceDecoder(LiteralPattern(kMark), " "));
  decoders.push_back(ByteFallbackDecoder());
  decoders.push_back(FuseDecoder());
  if (prepends) decoders.push_back(StripDecoder(" ", 1, 0));
  parts.decoder = DecoderSequence(std::move(decoders));
  return {true};
}

/// Files have the mark of a space before tokens that begin a word, and nothing before the others.
GgufEdges ReadGgufBert(const GgufMetadata& file, GgufNames names, TokenizerParts& parts) {
  WordPieceOptions options{UnknownToken(ReadUnknown(file, 100, names))};
  for (std::string& name : names) {
    if (name.compare(0, kMarkSize, kMark) == 0) {
      name.erase(0, kMarkSize);
    } else if (!name.empty()) {
      name.insert(0, "##");
    }
  }
  parts.normalizer = BertNormalizer({});
  parts.pre_tokenizer = BertSplit();
  parts.model = WordPieceModel(Vocabulary(std::move(names)), std::move(options));
  parts.decoder = WordPieceDecoder("##", true);
  const auto either = [&](const char* first, const char* second) { return file.Has(GgufKey(first)) ? first : second; };
  // GGUF files misspell the separator's key: "seperator".
  return {true, true, either("bos_token_id", "cls_token_id"), either("eos_token_id", "seperator_token_id")};
}

}  // namespace kuiper_infer::text
