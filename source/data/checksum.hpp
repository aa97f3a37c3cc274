// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer {

/// The checksum of zip archives (CRC-32, ISO 3309) of some bytes; 0 for none.
uint32_t Crc32(const void* bytes, std::size_t count);

/// The checksum of two runs of bytes, one behind the other, from those of each; `second_count` is the second's length.
uint32_t JoinedCrc32(uint32_t first, uint32_t second, uint64_t second_count);

/// Crc32 by several threads, where the bytes are many.
uint32_t SharedCrc32(const void* bytes, std::size_t count);

}  // namespace kuiper_infer
