// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/model.hpp"
#include "kuiper_infer/text/tokenizer.hpp"

namespace kuiper_infer::test {

/// A part of test/data/decoders/NAME.zip: "model.param", "model.bin", "tokens.npy" or "logits.npy".
std::string DecoderPart(const std::string& name, const std::string& part);

/// The .param text of a small decoder, with logits for all tokens of a run if `all_logits`.
std::string DecoderParam(const std::string& name, bool all_logits);

Model LoadDecoder(const std::string& name, bool all_logits = false, const BuildOptions& options = {});

/// The prompt of seven tokens with the sixteen most probable tokens behind it, by transformers.
std::vector<int64_t> DecoderTokens(const std::string& name);

/// A tokenizer.json with the 64 tokens of the small decoders: <|start|>, <|im_start|>, <|im_end|>, letters, and two
/// tokens that are half of a character each. It begins a text with <|start|>.
std::string SmallTokenizerJson();
text::Tokenizer SmallTokenizer();

}  // namespace kuiper_infer::test
