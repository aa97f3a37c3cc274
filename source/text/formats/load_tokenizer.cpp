// SPDX-License-Identifier: MIT
#include "data/byte_source.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/formats/formats.hpp"

namespace kuiper_infer::text {
namespace {

/// The largest tokenizers have some 30 MB.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

bool BeginsJson(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

}  // namespace

std::shared_ptr<const TokenizerParts> ReadTokenizer(std::string_view bytes, const std::string& name,
                                                    const CompanionFiles& /*companions*/) {
  std::shared_ptr<TokenizerParts> parts;
  if (BeginsJson(bytes)) {
    parts = ReadTokenizerJson(bytes, name);
  } else {
    throw Error(ErrorCode::kFile, name + ": is neither a tokenizer.json nor a GGUF file nor a vocab.txt");
  }
  parts->Complete();
  return parts;
}

std::shared_ptr<const TokenizerParts> LoadTokenizer(const std::string& path) {
  return ReadTokenizer(ByteSource::OpenFile(path)->Text(kMostBytes), path, {});
}

}  // namespace kuiper_infer::text
