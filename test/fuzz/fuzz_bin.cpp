// SPDX-License-Identifier: MIT
// Fuzzes the reader of weight archives. Every entry that is not larger than the file is read.
#include <vector>

#include "fuzz/memory_file.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const kuiper_infer::MemoryFile file(data, size);
  kuiper_infer::StoreZipReader reader;
  if (reader.open(file.path()) != 0) return 0;
  for (const std::string& name : reader.names()) {
    const uint64_t bytes = reader.get_file_size(name);
    constexpr uint64_t kMostRatio = 64;
    if (bytes > kMostRatio * size) continue;
    std::vector<char> content(bytes);
    reader.read_file(name, content.data());
  }
  return 0;
}
