// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "text/formats/gguf_metadata.hpp"
#include "text/tokenizer_parts.hpp"

namespace kuiper_infer::text {

/// The names of a file's tokens. The names of special tokens are empty, so that no text becomes a special token.
using GgufNames = std::vector<std::string>;

/// What is added to a text if the file doesn't say.
struct GgufEdges {
  bool beginning = false;
  bool ending = false;
  const char* beginning_key = "bos_token_id";
  const char* ending_key = "eos_token_id";
};

/// The full name of a key.
inline std::string GgufKey(const char* name) { return std::string("tokenizer.ggml.") + name; }

// Each fills in the parts of one kind of tokenizer.ggml.model, and returns what it adds to a text.
GgufEdges ReadGgufBytePairs(const GgufMetadata& file, GgufNames names, TokenizerParts& parts);
GgufEdges ReadGgufSentencePiece(const GgufMetadata& file, GgufNames names, TokenizerParts& parts);
GgufEdges ReadGgufBert(const GgufMetadata& file, GgufNames names, TokenizerParts& parts);

}  // namespace kuiper_infer::text
