// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/tokenizer_parts.hpp"

namespace kuiper_infer::text {

/// Reads a tokenizer of any format. Throws Error as Tokenizer::Load does.
std::shared_ptr<const TokenizerParts> LoadTokenizer(const std::string& path);
std::shared_ptr<const TokenizerParts> ReadTokenizer(std::string_view bytes, const std::string& name);

// Each reads one format.
std::shared_ptr<TokenizerParts> ReadTokenizerJson(std::string_view bytes, const std::string& name);
std::shared_ptr<TokenizerParts> ReadGguf(std::string_view bytes, const std::string& name);
std::shared_ptr<TokenizerParts> ReadVocabTxt(std::string_view bytes, const std::string& name);
/// Whether a text has the lines of BERT's vocabulary.
bool IsVocabTxt(std::string_view bytes);

/// Completes the parts by the files beside a tokenizer.json or vocab.txt, where they are: generation_config.json,
/// tokenizer_config.json and chat_template.jinja, with whatever stands before "tokenizer.json" in the path's last
/// part. They name the tokens of a text's start and end, and hold the chat template.
void ReadCompanions(const std::string& path, TokenizerParts& parts);

}  // namespace kuiper_infer::text
