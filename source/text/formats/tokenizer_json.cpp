// SPDX-License-Identifier: MIT
#include "text/formats/formats.hpp"

namespace kuiper_infer::text {

std::shared_ptr<TokenizerParts> ReadTokenizerJson(std::string_view bytes, const std::string& name) {
  const nlohmann::json json = ParseJson(bytes, name);
  const JsonPart file(json, name + ": the tokenizer");
  auto parts = std::make_shared<TokenizerParts>();
  parts->name = name;
  const auto part = [&](const char* key) -> std::optional<JsonPart> {
    return file.Has(key) ? std::optional(JsonPart(json[key], name + ": " + key)) : std::nullopt;
  };
  if (!file.Has("model")) file.Expected("an object with 'model'");
  if (const auto normalizer = part("normalizer")) parts->normalizer = ReadNormalizer(*normalizer);
  if (const auto added = part("added_tokens")) {
    parts->added = AddedTokens(ReadAddedTokens(*added), parts->normalizer.get());
  }
  if (const auto pre_tokenizer = part("pre_tokenizer")) parts->pre_tokenizer = ReadPreTokenizer(*pre_tokenizer);
  parts->model = ReadModel(*part("model"));
  if (const auto post_processor = part("post_processor")) parts->post_processor = ReadPostProcessor(*post_processor);
  const auto decoder = part("decoder");
  parts->decoder = decoder ? ReadDecoder(*decoder) : SpacesBetween();
  return parts;
}

}  // namespace kuiper_infer::text
