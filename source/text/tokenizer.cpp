// SPDX-License-Identifier: MIT
#include "kuiper_infer/text/tokenizer.hpp"

#include "text/formats/formats.hpp"
#include "text/tokenizer_parts.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {

Tokenizer Tokenizer::Load(const std::string& path) { return Tokenizer(LoadTokenizer(path)); }

Tokenizer Tokenizer::LoadFromMemory(std::string_view bytes, const std::string& name) {
  return Tokenizer(ReadTokenizer(bytes, name));
}

std::vector<int64_t> Tokenizer::Encode(std::string_view bytes, const EncodeOptions& options) const {
  std::string replaced;
  if (WellFormedSize(bytes) < bytes.size()) {
    replaced = WellFormed(bytes);
    bytes = replaced;
  }
  std::vector<int64_t> tokens;
  const PostProcessor& around = parts_->post_processor;
  if (options.add_special_tokens) tokens = around.before();
  const std::vector<Range> everywhere = {{0, bytes.size()}};
  parts_->AppendAll(bytes, options.parse_special_tokens ? everywhere : std::vector<Range>(), tokens);
  if (options.add_special_tokens) tokens.insert(tokens.end(), around.behind().begin(), around.behind().end());
  return tokens;
}

std::vector<int64_t> Tokenizer::Encode(const std::vector<PromptPart>& parts) const {
  std::string text;
  std::vector<Range> markup;
  for (const PromptPart& part : parts) {
    const std::size_t begin = text.size();
    text += WellFormed(part.text);
    if (part.markup) markup.push_back({begin, text.size()});
  }
  std::vector<int64_t> tokens;
  parts_->AppendAll(text, markup, tokens);
  return tokens;
}

std::string Tokenizer::Decode(const std::vector<int64_t>& tokens, bool special) const {
  const std::unique_ptr<DecoderRun> run = parts_->decoder->Start();
  TokenTexts texts;
  for (const int64_t token : tokens) {
    const std::string& name = parts_->Name(token);
    if (special || !parts_->added.IsSpecial(name)) run->Push({name}, texts);
  }
  run->Finish(texts);
  std::string text;
  for (const TokenText& part : texts) text += part.text;
  return text;
}

int64_t Tokenizer::size() const { return parts_->size; }
std::optional<int64_t> Tokenizer::Find(std::string_view name) const { return parts_->Find(name); }
const std::string& Tokenizer::Name(int64_t token) const { return parts_->Name(token); }
bool Tokenizer::special(int64_t token) const { return parts_->IsSpecial(token); }
const std::string& Tokenizer::chat_template() const { return parts_->chat_template; }
std::optional<int64_t> Tokenizer::beginning() const { return parts_->beginning; }
const std::vector<int64_t>& Tokenizer::endings() const { return parts_->endings; }

}  // namespace kuiper_infer::text
