// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "kuiper_infer/utils/error.hpp"
#include "text/formats/formats.hpp"
#include "text/formats/gguf_kinds.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

// Kinds of tokens in tokenizer.ggml.token_type.
constexpr int32_t kUnknown = 2;
constexpr int32_t kControl = 3;
constexpr int32_t kUserDefined = 4;

/// Control tokens of these names end an answer, whether or not the file says so.
constexpr std::array<std::string_view, 9> kEndings{"<|eot_id|>",    "<|eom_id|>", "<|im_end|>",
                                                   "<|end|>",       "<|return|>", "<end_of_turn>",
                                                   "<|endoftext|>", "<EOT>",      "<|end_of_text|>"};

/// Fills in the added tokens, and those that end an answer by their name.
GgufNames ReadTokens(const GgufMetadata& file, TokenizerParts& parts) {
  GgufNames names;
  for (const std::string_view name : file.Texts(GgufKey("tokens"))) names.push_back(WellFormed(name));
  if (names.empty()) file.Fail(GgufKey("tokens"), "is empty");
  std::vector<int32_t> types;
  if (file.Has(GgufKey("token_type"))) types = file.Integers(GgufKey("token_type"));
  types.resize(names.size());
  std::vector<AddedToken> added;
  for (std::size_t i = 0; i < names.size(); ++i) {
    AddedToken token;
    token.token = static_cast<int64_t>(i);
    token.name = names[i];
    token.special = types[i] == kUnknown || types[i] == kControl;
    if (!token.special && types[i] != kUserDefined) continue;
    const bool ends = std::find(kEndings.begin(), kEndings.end(), names[i]) != kEndings.end();
    if (token.special && ends) parts.endings.push_back(token.token);
    if (token.special) names[i].clear();
    added.push_back(std::move(token));
  }
  parts.added = AddedTokens(std::move(added), nullptr);
  return names;
}

std::optional<int64_t> Token(const GgufMetadata& file, const char* key) {
  const std::optional<uint64_t> token = file.Number(GgufKey(key));
  return token ? std::optional(static_cast<int64_t>(*token)) : std::nullopt;
}

/// Fills in the tokens of a text's start and end.
void ReadEdges(const GgufMetadata& file, const GgufEdges& edges, TokenizerParts& parts) {
  parts.beginning = Token(file, edges.beginning_key);
  for (const char* const key : {"eos_token_id", "eot_token_id", "eom_token_id"}) {
    const std::optional<int64_t> token = Token(file, key);
    const auto found = std::find(parts.endings.begin(), parts.endings.end(), token.value_or(-1));
    if (token && found == parts.endings.end()) parts.endings.push_back(*token);
  }
  std::vector<int64_t> before;
  std::vector<int64_t> behind;
  const std::optional<int64_t> ending = Token(file, edges.ending_key);
  if (file.Flag(GgufKey("add_bos_token")).value_or(edges.beginning) && parts.beginning) before = {*parts.beginning};
  if (file.Flag(GgufKey("add_eos_token")).value_or(edges.ending) && ending) behind = {*ending};
  parts.post_processor = PostProcessor(std::move(before), std::move(behind));
}

}  // namespace

std::shared_ptr<TokenizerParts> ReadGguf(std::string_view bytes, const std::string& name) {
  const GgufMetadata file(bytes, name);
  auto parts = std::make_shared<TokenizerParts>();
  parts->name = name;
  const std::string_view model = file.Text(GgufKey("model"));
  auto* const read = model == "gpt2"    ? ReadGgufBytePairs
                     : model == "llama" ? ReadGgufSentencePiece
                     : model == "bert"  ? ReadGgufBert
                                        : nullptr;
  if (read == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                name + ": tokenizer.ggml.model '" + WellFormed(model) + "', expected gpt2, llama or bert");
  }
  GgufNames names = ReadTokens(file, *parts);
  ReadEdges(file, read(file, std::move(names), *parts), *parts);
  if (file.Has("tokenizer.chat_template")) parts->chat_template = WellFormed(file.Text("tokenizer.chat_template"));
  return parts;
}

}  // namespace kuiper_infer::text
