// SPDX-License-Identifier: MIT
#include "text/small_decoder.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

namespace kuiper_infer::test {
namespace {

/// The letters of byte-level tokens; the last two are the bytes C3 and A9, which are an e with an accent together.
constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,?!:";

void Replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string DecoderPart(const std::string& name, const std::string& part) {
  StoreZipReader archive;
  if (archive.open(KUIPER_SOURCE_DIR "/test/data/decoders/" + name + ".zip") != 0) {
    throw std::runtime_error(archive.error());
  }
  std::string bytes(archive.get_file_size(part), '\0');
  if (archive.read_file(part, bytes.data()) != 0) throw std::runtime_error(archive.error());
  return bytes;
}

std::string DecoderParam(const std::string& name, bool all_logits) {
  std::string param = DecoderPart(name, "model.param");
  if (!all_logits) return param;
  // The exporter cuts the last token out before the head; logits="all" leaves that out.
  Replace(param, "dim=1 end=2147483647 start=-1", "dim=1 end=2147483647 start=0");
  Replace(param, "=(1,1,64)f32", "=(1,?,64)f32");
  return param;
}

Model LoadDecoder(const std::string& name, bool all_logits, const BuildOptions& options) {
  return Model::LoadFromMemory(DecoderParam(name, all_logits), DecoderPart(name, "model.bin"), options);
}

std::vector<int64_t> DecoderTokens(const std::string& name) {
  const std::string bytes = DecoderPart(name, "tokens.npy");
  const NdArray tokens = ParseNpy(bytes.data(), bytes.size(), name);
  return {tokens.data<int64_t>(), tokens.data<int64_t>() + tokens.size()};
}

std::string SmallTokenizerJson() {
  nlohmann::json vocabulary = {{"<|start|>", 0}, {"<|im_start|>", 1}, {"<|im_end|>", 2}};
  int number = 3;
  for (const char* letter = kLetters; *letter != '\0'; ++letter) vocabulary[std::string(1, *letter)] = number++;
  for (const char* piece : {"\u0120", "\u010a", "\u00c3", "\u00a9"}) vocabulary[piece] = number++;
  nlohmann::json added = nlohmann::json::array();
  for (const auto& [name, id] : {std::pair("<|start|>", 0), {"<|im_start|>", 1}, {"<|im_end|>", 2}}) {
    added.push_back({{"id", id}, {"content", name}, {"special", true}});
  }
  const nlohmann::json start = {{"SpecialToken", {{"id", "<|start|>"}, {"type_id", 0}}}};
  const nlohmann::json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const nlohmann::json special = {{"<|start|>", {{"id", "<|start|>"}, {"ids", {0}}, {"tokens", {"<|start|>"}}}}};
  const nlohmann::json file = {
      {"added_tokens", added},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
      {"decoder", {{"type", "ByteLevel"}}},
      {"post_processor", {{"type", "TemplateProcessing"}, {"single", {start, text}}, {"special_tokens", special}}},
      {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", nlohmann::json::array()}}}};
  return file.dump();
}

text::Tokenizer SmallTokenizer() { return text::Tokenizer::LoadFromMemory(SmallTokenizerJson(), "small"); }

}  // namespace kuiper_infer::test
