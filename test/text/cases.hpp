// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace kuiper_infer::text::test {

/// The path of a file in test/data/tokenizers.
std::string DataPath(const std::string& name);
/// The bytes of a file; fails the test if it can't be read.
std::string ReadBytes(const std::string& path);
/// The names of the tokenizers there that have cases.
std::vector<std::string> TokenizersWithCases();
/// The cases of a tokenizer, as tools/make_tokenizer_cases.py wrote them.
nlohmann::json CasesOf(const std::string& name);
/// The file of the tokenizer of that name: "smollm.gguf" or "gpt2.json" for gpt2.
std::string TokenizerFile(const std::string& name);

}  // namespace kuiper_infer::text::test
