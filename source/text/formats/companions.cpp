// SPDX-License-Identifier: MIT
#include <filesystem>

#include "data/byte_source.hpp"
#include "text/formats/formats.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

constexpr uint64_t kMostBytes = uint64_t{64} << 20;

std::optional<std::string> ReadIfThere(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::u8path(path), error)) return std::nullopt;
  return ByteSource::OpenFile(path)->Text(kMostBytes);
}

/// The part of the path before the tokenizer's own name; none if the file has another name.
std::optional<std::string> Prefix(const std::string& path) {
  for (const std::string& name : {std::string("tokenizer.json"), std::string("vocab.txt")}) {
    if (path.size() < name.size() || path.compare(path.size() - name.size(), name.size(), name) != 0) continue;
    return path.substr(0, path.size() - name.size());
  }
  return std::nullopt;
}

/// A token's name is a text, or an object with the text and how it is matched.
std::optional<int64_t> TokenByName(const JsonPart& config, const char* member, const TokenizerParts& parts) {
  if (!config.Has(member)) return std::nullopt;
  const JsonPart token = config.At(member);
  return parts.Find(token.value().is_object() ? token.At("content").Text() : token.Text());
}

/// One template, or several with names, of which one is the default.
std::string ChatTemplate(const JsonPart& part) {
  if (part.value().is_string()) return part.Text();
  for (const JsonPart& entry : part.Elements()) {
    if (entry.At("name").Text() == "default") return entry.At("template").Text();
  }
  return {};
}

void ReadTokenizerConfig(const JsonPart& config, TokenizerParts& parts) {
  if (!parts.beginning) parts.beginning = TokenByName(config, "bos_token", parts);
  if (const auto token = TokenByName(config, "eos_token", parts); token && parts.endings.empty()) {
    parts.endings.push_back(*token);
  }
  if (config.Has("chat_template")) parts.chat_template = ChatTemplate(config.At("chat_template"));
}

/// Numbers in generation_config.json override names in tokenizer_config.json: a chat may end with another token.
void ReadGenerationConfig(const JsonPart& config, TokenizerParts& parts) {
  const int64_t last = parts.size - 1;
  if (config.Has("bos_token_id")) parts.beginning = config.At("bos_token_id").Number(0, last);
  if (!config.Has("eos_token_id")) return;
  const JsonPart endings = config.At("eos_token_id");
  if (!endings.value().is_array()) {
    parts.endings = {endings.Number(0, last)};
    return;
  }
  for (const JsonPart& ending : endings.Elements()) parts.endings.push_back(ending.Number(0, last));
}

}  // namespace

void ReadCompanions(const std::string& path, TokenizerParts& parts) {
  const std::optional<std::string> prefix = Prefix(path);
  if (!prefix) return;
  const auto read = [&](const char* name, void (*take)(const JsonPart&, TokenizerParts&)) {
    const std::string companion = *prefix + name;
    const std::optional<std::string> text = ReadIfThere(companion);
    if (!text) return;
    const nlohmann::json json = ParseJson(*text, companion);
    take(JsonPart(json, companion + ": the file"), parts);
  };
  read("generation_config.json", ReadGenerationConfig);
  read("tokenizer_config.json", ReadTokenizerConfig);
  if (const auto text = ReadIfThere(*prefix + "chat_template.jinja")) parts.chat_template = WellFormed(*text);
}

}  // namespace kuiper_infer::text
