// SPDX-License-Identifier: MIT
// Fuzzes the readers of PNG and JPEG files.
#include "cli/picture/picture.hpp"
#include "kuiper_infer/utils/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    kuiper_infer::cli::DecodePicture({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const kuiper_infer::Error&) {
  }
  return 0;
}
