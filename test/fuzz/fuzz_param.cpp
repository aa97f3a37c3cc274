// SPDX-License-Identifier: MIT
// Fuzzes the reader of .param files.
#include "fuzz/memory_file.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/utils/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const kuiper_infer::MemoryFile file(data, size);
  pnnx::Graph graph;
  try {
    graph.Load(file.path(), "");
  } catch (const kuiper_infer::Error&) {
  }
  return 0;
}
