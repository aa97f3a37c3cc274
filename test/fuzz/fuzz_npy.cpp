// SPDX-License-Identifier: MIT
// Fuzzes the reader of NumPy files.
#include "data/npy.hpp"
#include "kuiper_infer/utils/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    kuiper_infer::ParseNpy(data, size, "fuzz");
  } catch (const kuiper_infer::Error&) {
  }
  return 0;
}
