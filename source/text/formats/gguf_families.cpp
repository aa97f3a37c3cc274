// SPDX-License-Identifier: MIT
#include "text/formats/gguf_families.hpp"

#include <map>

namespace kuiper_infer::text {
namespace {

constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))";
constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kDeepSeek3 =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

const std::map<std::string_view, GgufFamily>& Families() {
  static const GgufFamily kLikeGpt2{{kGpt2}};
  static const GgufFamily kLikeLlama3{{kLlama3}, true, true};
  static const GgufFamily kSameCuts{{kLlama3}};
  static const GgufFamily kLikeQwen2{{kQwen2}};
  static const GgufFamily kSingleDigits{{R"(\p{N})", kGpt2}};
  static const GgufFamily kPlain{{R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}};
  static const std::map<std::string_view, GgufFamily> kFamilies{
      {"", kPlain},
      {"default", kPlain},
      {"gpt-2", kLikeGpt2},
      {"phi-2", kLikeGpt2},
      {"mpt", kLikeGpt2},
      {"olmo", kLikeGpt2},
      {"exaone4", kLikeGpt2},
      {"llama-bpe", kLikeLlama3},
      {"llama3", kLikeLlama3},
      {"llama-v3", kLikeLlama3},
      {"falcon3", kLikeLlama3},
      {"lfm2", kLikeLlama3},
      {"dbrx", kSameCuts},
      {"smaug-bpe", kSameCuts},
      {"qwen2", kLikeQwen2},
      {"deepseek-r1-qwen", kLikeQwen2},
      {"megrez", kLikeQwen2},
      {"stablelm2", kLikeQwen2},
      {"smollm", kSingleDigits},
      {"starcoder", kSingleDigits},
      {"refact", kSingleDigits},
      {"command-r", kSingleDigits},
      {"codeshell", kSingleDigits},
      {"falcon", {{R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2, "[0-9][0-9][0-9]"}}},
      {"deepseek-coder", {{R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", u8"[一-龥ࠀ-一가-퟿]+", R"(\p{N})"}}},
      {"deepseek-v3", {{R"(\p{N}{1,3})", u8"[一-龥぀-ゟ゠-ヿ]+", kDeepSeek3}}},
  };
  return kFamilies;
}

}  // namespace

const GgufFamily* FindGgufFamily(std::string_view pre) {
  const auto found = Families().find(pre);
  return found == Families().end() ? nullptr : &found->second;
}

}  // namespace kuiper_infer::text
