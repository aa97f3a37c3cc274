// SPDX-License-Identifier: MIT
#include "text/models/models.hpp"

namespace kuiper_infer::text {
namespace {

/// "a b" or ["a", "b"].
std::pair<std::string, std::string> ReadMerge(const nlohmann::json& merge, const JsonPart& merges, std::size_t index) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos) {
      return {text.substr(0, space), text.substr(space + 1)};
    }
  }
  JsonPart(merge, merges.place() + "[" + std::to_string(index) + "]").Expected("two tokens");
}

Merges ReadMerges(const JsonPart& part) {
  if (!part.value().is_array()) part.Expected("an array");
  Merges merges;
  merges.reserve(part.value().size());
  for (const nlohmann::json& merge : part.value()) merges.push_back(ReadMerge(merge, part, merges.size()));
  return merges;
}

}  // namespace

ModelPtr ReadBpe(const JsonPart& part) {
  Vocabulary vocabulary = ReadVocabulary(part.At("vocab"));
  if (part.Has("dropout") && part.At("dropout").Real() != 0) part.At("dropout").Unsupported("dropout");
  BpeOptions options;
  if (part.Has("unk_token")) options.unknown.emplace(part.At("unk_token").Text(), vocabulary);
  options.fuse_unknown = part.Bool("fuse_unk", false);
  options.byte_fallback = part.Bool("byte_fallback", false);
  options.ignore_merges = part.Bool("ignore_merges", false);
  options.continuing_prefix = part.Text("continuing_subword_prefix", "");
  options.end_suffix = part.Text("end_of_word_suffix", "");
  const JsonPart merges = part.At("merges");
  MergeTable table = ListedMerges(vocabulary, ReadMerges(merges), options.continuing_prefix.size(), merges.place());
  return BpeModel(std::move(vocabulary), std::move(table), std::move(options));
}

}  // namespace kuiper_infer::text
