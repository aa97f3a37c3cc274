// SPDX-License-Identifier: MIT
// Fuzzes the readers of tokenizers: tokenizer.json, the metadata of GGUF and vocab.txt, and what the tokenizers that
// they accept do with the end of the input as a text.
#include <algorithm>

#include "kuiper_infer/text/tokenizer.hpp"
#include "kuiper_infer/utils/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace kuiper_infer::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = Tokenizer::LoadFromMemory(bytes, "fuzz");
    const std::string_view text = bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 200));
    const auto tokens = tokenizer.Encode(text, {true, true});
    const std::string decoded = tokenizer.Decode(tokens, true);
    StreamDecoder decoder(tokenizer, true);
    std::string streamed;
    for (const int64_t token : tokens) streamed += decoder.Push(token);
    if (streamed + decoder.Finish() != decoded) __builtin_trap();
  } catch (const kuiper_infer::Error&) {
  }
  return 0;
}
