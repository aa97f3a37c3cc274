// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "kuiper_infer/utils/error.hpp"
#include "text/decoders/decoders.hpp"
#include "text/formats/formats.hpp"
#include "text/models/models.hpp"
#include "text/normalizers/normalizers.hpp"
#include "text/pre_tokenizers/pre_tokenizers.hpp"
#include "text/utf8.hpp"

namespace kuiper_infer::text {
namespace {

constexpr std::array<const char*, 5> kSpecial{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

std::vector<std::string> Lines(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(WellFormed(line));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

/// Whether the vocabulary was made of texts in lower case: none of its words has a capital letter.
bool IsLowerCase(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    const bool is_word = name.empty() || name[0] != '[';
    return !is_word || std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  });
}

}  // namespace

bool IsVocabTxt(std::string_view bytes) {
  const std::vector<std::string> lines = Lines(bytes);
  return std::find(lines.begin(), lines.end(), "[UNK]") != lines.end();
}

std::shared_ptr<TokenizerParts> ReadVocabTxt(std::string_view bytes, const std::string& name) {
  std::vector<std::string> names = Lines(bytes);
  auto parts = std::make_shared<TokenizerParts>();
  parts->name = name;
  std::vector<AddedToken> added;
  for (const char* const special : kSpecial) {
    const auto found = std::find(names.begin(), names.end(), special);
    if (found != names.end()) added.push_back({found - names.begin(), special, true});
  }
  parts->added = AddedTokens(std::move(added), nullptr);
  const auto number = [&](const char* special) {
    const AddedToken* const found = parts->added.Find(std::string_view(special));
    if (found == nullptr) throw Error(ErrorCode::kFile, name + ": the vocabulary lacks " + special);
    return found->token;
  };
  parts->post_processor = PostProcessor({number("[CLS]")}, {number("[SEP]")});
  BertOptions bert;
  bert.lowercase = bert.strip_accents = IsLowerCase(names);
  parts->normalizer = BertNormalizer(bert);
  parts->pre_tokenizer = BertSplit();
  WordPieceOptions options{UnknownToken(static_cast<int32_t>(number("[UNK]")))};
  parts->model = WordPieceModel(Vocabulary(std::move(names)), std::move(options));
  parts->decoder = WordPieceDecoder("##", true);
  return parts;
}

}  // namespace kuiper_infer::text
