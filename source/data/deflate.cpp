// SPDX-License-Identifier: MIT
#include "data/deflate.hpp"

#include <libdeflate.h>
#include <memory>
#include <new>

namespace kuiper_infer {

uint32_t Crc32OfRun(const void* bytes, std::size_t count) { return libdeflate_crc32(0, bytes, count); }

bool Inflate(const void* packed, std::size_t packed_size, void* target, std::size_t size) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (inflater == nullptr) throw std::bad_alloc();
  return libdeflate_deflate_decompress(inflater.get(), packed, packed_size, target, size, nullptr) ==
         LIBDEFLATE_SUCCESS;
}

}  // namespace kuiper_infer
