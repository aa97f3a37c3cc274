// SPDX-License-Identifier: MIT
#include "text/cases.hpp"

#include <algorithm>
#include <filesystem>

#include "data/byte_source.hpp"

namespace kuiper_infer::text::test {
namespace {

const std::string kCases = ".cases.json";

}  // namespace

std::string DataPath(const std::string& name) { return KUIPER_SOURCE_DIR "/test/data/tokenizers/" + name; }

std::string ReadBytes(const std::string& path) { return ByteSource::OpenFile(path)->Text(uint64_t{1} << 30); }

std::vector<std::string> TokenizersWithCases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(DataPath(""))) {
    const std::string name = entry.path().filename().string();
    if (name.size() > kCases.size() && name.compare(name.size() - kCases.size(), kCases.size(), kCases) == 0) {
      names.push_back(name.substr(0, name.size() - kCases.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json CasesOf(const std::string& name) { return nlohmann::json::parse(ReadBytes(DataPath(name + kCases))); }

std::string TokenizerFile(const std::string& name) {
  return DataPath(name.find('.') == std::string::npos ? name + ".json" : name);
}

}  // namespace kuiper_infer::text::test
