// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer {

/// The seam to libdeflate: deflate.cpp calls it, and a build without it (KUIPER_MINIMAL) compiles without_deflate.cpp.

/// The CRC-32 of a run of bytes, as ZIP files have it.
uint32_t Crc32OfRun(const void* bytes, std::size_t count);

/// Unpacks bytes that were packed by the method "deflate". Returns whether they are whole and make `size` bytes. Throws
/// Error(kUnsupported) in a build without libdeflate.
bool Inflate(const void* packed, std::size_t packed_size, void* target, std::size_t size);

}  // namespace kuiper_infer
