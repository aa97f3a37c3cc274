// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "text/models/models.hpp"

namespace kuiper_infer::text {
namespace {

/// How much larger than the number of tokens their numbers may be.
constexpr int64_t kMostHoles = 65536;

/// Older files leave out the type.
std::string TypeOf(const JsonPart& part) {
  if (part.Has("type")) return part.At("type").Text();
  if (part.Has("merges")) return "BPE";
  if (part.Has("continuing_subword_prefix")) return "WordPiece";
  return part.At("vocab").value().is_array() ? "Unigram" : "WordLevel";
}

}  // namespace

ModelPtr ReadModel(const JsonPart& part) {
  const std::string type = TypeOf(part);
  if (type == "BPE") return ReadBpe(part);
  if (type == "WordPiece") return ReadWordPiece(part);
  if (type == "Unigram") return ReadUnigram(part);
  if (type == "WordLevel") return ReadWordLevel(part);
  part.Unsupported("the model '" + type + "'");
}

Vocabulary ReadVocabulary(const JsonPart& part) {
  if (!part.value().is_object()) part.Expected("an object");
  const int64_t most = 4 * static_cast<int64_t>(part.value().size()) + kMostHoles;
  std::vector<std::string> names;
  for (const auto& [name, number] : part.value().items()) {
    const int64_t token = JsonPart(number, part.place() + "['" + name + "']").Number(0, most);
    if (token >= static_cast<int64_t>(names.size())) names.resize(static_cast<std::size_t>(token) + 1);
    names[static_cast<std::size_t>(token)] = name;
  }
  return Vocabulary(std::move(names));
}

int32_t UnknownToken::Get() const {
  if (token_ < 0) {
    throw Error(ErrorCode::kUnsupported, "the text needs the token for unknown parts, '" + name_ +
                                             "', expected it in the vocabulary of the model");
  }
  return token_;
}

}  // namespace kuiper_infer::text
