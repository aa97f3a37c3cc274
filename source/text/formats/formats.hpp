// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/tokenizer_parts.hpp"

namespace kuiper_infer::text {

/// What files beside the tokenizer's say; empty texts where there is no such file.
struct CompanionFiles {
  std::string tokenizer_config;   ///< the bytes of tokenizer_config.json
  std::string generation_config;  ///< the bytes of generation_config.json
  std::string chat_template;      ///< the bytes of chat_template.jinja
};

std::shared_ptr<const TokenizerParts> LoadTokenizer(const std::string& path);
std::shared_ptr<const TokenizerParts> ReadTokenizer(std::string_view bytes, const std::string& name,
                                                    const CompanionFiles& companions);

// Each reads one format.
std::shared_ptr<TokenizerParts> ReadTokenizerJson(std::string_view bytes, const std::string& name);

}  // namespace kuiper_infer::text
