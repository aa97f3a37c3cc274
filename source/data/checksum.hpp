// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer {

/// The checksum of zip archives (CRC-32, ISO 3309) of some bytes; 0 for none.
uint32_t Crc32(const void* bytes, std::size_t count);

/// The checksum of two successive runs of bytes from the checksums of both; the second run has `second_count` bytes.
uint32_t JoinedCrc32(uint32_t first, uint32_t second, uint64_t second_count);

/// Crc32 by several threads, if there are many bytes.
uint32_t SharedCrc32(const void* bytes, std::size_t count);

}  // namespace kuiper_infer
