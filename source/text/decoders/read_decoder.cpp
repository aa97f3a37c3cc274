// SPDX-License-Identifier: MIT
#include <limits>

#include "text/decoders/decoders.hpp"
#include "text/pre_tokenizers/pre_tokenizers.hpp"

namespace kuiper_infer::text {
namespace {

DecoderPtr ReadSequence(const JsonPart& part) {
  std::vector<DecoderPtr> steps;
  for (const JsonPart& step : part.At("decoders").Elements()) steps.push_back(ReadDecoder(step));
  return DecoderSequence(std::move(steps));
}

DecoderPtr ReadStrip(const JsonPart& part) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const std::string content = part.Text("content", " ");
  if (content.empty()) part.At("content").Expected("a character");
  return StripDecoder(content, part.Number("start", 0, kMost, 0), part.Number("stop", 0, kMost, 0));
}

DecoderPtr ReadMetaspaceDecoder(const JsonPart& part) {
  const MetaspaceOptions options = ReadMetaspace(part);
  return MetaspaceDecoder(options.mark, options.prepend != MetaspaceOptions::Prepend::kNever);
}

}  // namespace

DecoderPtr ReadDecoder(const JsonPart& part) {
  const std::string& type = part.At("type").Text();
  if (type == "Sequence") return ReadSequence(part);
  if (type == "ByteLevel") return ByteLevelDecoder();
  if (type == "ByteFallback") return ByteFallbackDecoder();
  if (type == "Fuse") return FuseDecoder();
  if (type == "Strip") return ReadStrip(part);
  if (type == "Replace") return ReplaceDecoder(ReadPattern(part.At("pattern")), part.At("content").Text());
  if (type == "WordPiece") return WordPieceDecoder(part.Text("prefix", "##"), part.Bool("cleanup", true));
  if (type == "Metaspace") return ReadMetaspaceDecoder(part);
  if (type == "BPEDecoder") return SuffixDecoder(part.Text("suffix", "</w>"));
  if (type == "CTC") {
    return CtcDecoder(part.Text("pad_token", "<pad>"), part.Text("word_delimiter_token", "|"),
                      part.Bool("cleanup", true));
  }
  part.Unsupported("the decoder '" + type + "'");
}

}  // namespace kuiper_infer::text
