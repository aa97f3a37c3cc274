// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// How a family of models cuts texts before byte-pair encoding. GGUF files only name it.
struct GgufFamily {
  std::vector<const char*> patterns;  ///< whose matches are pieces, applied one after the other
  bool ignore_merges = false;
  bool adds_beginning = false;  ///< if the file doesn't say
};

/// The family that tokenizer.ggml.pre names; null if it is not known.
const GgufFamily* FindGgufFamily(std::string_view pre);

}  // namespace kuiper_infer::text
