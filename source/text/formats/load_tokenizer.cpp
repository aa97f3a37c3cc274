// SPDX-License-Identifier: MIT
#include <array>

#include "data/byte_source.hpp"
#include "data/mapped_file.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/formats/formats.hpp"

namespace kuiper_infer::text {
namespace {

/// The largest tokenizers have some 30 MB.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr std::string_view kGgufMagic = "GGUF";

bool BeginsJson(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

std::shared_ptr<TokenizerParts> ReadParts(std::string_view bytes, const std::string& name) {
  std::shared_ptr<TokenizerParts> parts;
  if (bytes.substr(0, kGgufMagic.size()) == kGgufMagic) {
    parts = ReadGguf(bytes, name);
  } else if (BeginsJson(bytes)) {
    parts = ReadTokenizerJson(bytes, name);
  } else if (IsVocabTxt(bytes)) {
    parts = ReadVocabTxt(bytes, name);
  } else {
    throw Error(ErrorCode::kFile, name + ": is no tokenizer, expected a tokenizer.json, a GGUF file or a vocab.txt");
  }
  parts->Complete();
  return parts;
}

}  // namespace

std::shared_ptr<const TokenizerParts> ReadTokenizer(std::string_view bytes, const std::string& name) {
  return ReadParts(bytes, name);
}

/// A GGUF file is mapped: the tokenizer is a small part at its start, whose size nothing tells.
std::shared_ptr<const TokenizerParts> LoadTokenizer(const std::string& path) {
  const auto source = ByteSource::OpenFile(path);
  std::array<char, kGgufMagic.size()> magic{};
  if (source->size() >= magic.size()) source->Read(0, magic.size(), magic.data());
  if (std::string_view(magic.data(), magic.size()) == kGgufMagic) {
    const auto mapped = MappedFile::Open(path);
    if (!mapped) throw Error(ErrorCode::kFile, path + ": cannot be mapped into memory");
    return ReadParts(mapped->bytes(), path);
  }
  const auto parts = ReadParts(source->Text(kMostBytes), path);
  ReadCompanions(path, *parts);
  return parts;
}

}  // namespace kuiper_infer::text
