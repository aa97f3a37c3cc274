// SPDX-License-Identifier: MIT
// Fuzzes the table of a cache behind a valid header. The input is the table's size in two bytes, the table, and the
// parts.
#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

#include <glog/logging.h>

#include "data/cache_file.hpp"
#include "data/checksum.hpp"
#include "data/little_endian.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using kuiper_infer::CacheFile;
  static const std::string folder = "/dev/shm/kuiper_fuzz_cache_" + std::to_string(getpid());
  static const std::string path = CacheFile(folder, "fuzz", "origin").path();
  FLAGS_minloglevel = google::GLOG_FATAL;  // each broken file would be a warning
  if (size < 2) return 0;
  const std::string input(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t table = std::min<std::size_t>(data[0] + 256 * data[1], input.size());
  const std::string front = "origin" + input.substr(0, table);
  kuiper_infer::FieldWriter file;
  file.Text("kuiper_infer cache 1\n").U64(6).U64(table);
  file.U32(kuiper_infer::Crc32(front.data(), front.size())).Text(front).Text(input.substr(table));
  std::ofstream(path, std::ios::binary | std::ios::trunc) << file.bytes();
  CacheFile cache(folder, "fuzz", "origin");
  for (const std::string& name : std::vector<std::string>{"", "a", input.substr(std::min<std::size_t>(8, table), 1)}) {
    const std::optional<kuiper_infer::NdArray> found = cache.Find(name);
    if (!found) continue;
    const uint8_t* const bytes = found->data<uint8_t>();
    volatile const int sum = std::accumulate(bytes, bytes + found->size(), 0);
    static_cast<void>(sum);
  }
  return 0;
}
