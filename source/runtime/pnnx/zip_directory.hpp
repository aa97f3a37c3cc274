// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/byte_source.hpp"

namespace kuiper_infer {

// Zip archives as PKWARE's APPNOTE.TXT describes them, of one part, old or 64-bit. All numbers are little-endian.

namespace zip {
constexpr uint32_t kLocalSignature = 0x04034B50;
constexpr uint32_t kCentralSignature = 0x02014B50;
constexpr uint32_t kEndSignature = 0x06054B50;
constexpr uint32_t kEnd64Signature = 0x06064B50;
constexpr uint32_t kLocator64Signature = 0x07064B50;
constexpr uint64_t kLocalBytes = 30;
constexpr uint64_t kCentralBytes = 46;
constexpr uint64_t kEndBytes = 22;
constexpr uint64_t kEnd64Bytes = 56;
constexpr uint64_t kLocator64Bytes = 20;
constexpr uint16_t kExtra64 = 1;  ///< the extra field with 64-bit numbers
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
constexpr uint16_t kEncryptedFlag = 1;
constexpr uint16_t kUtf8Flag = 1 << 11;
constexpr uint64_t kMax16 = 0xFFFF;      ///< stands for a larger number, which a 64-bit record gives
constexpr uint64_t kMax32 = 0xFFFFFFFF;  ///< stands for a larger number of 32 bits
}  // namespace zip

/// An entry as the archive's directory describes it.
struct ZipEntry {
  std::string name;
  uint16_t method = 0;
  uint32_t crc = 0;
  uint64_t packed_size = 0;
  uint64_t size = 0;
  uint64_t header = 0;  ///< the place of its local header
};

/// The entries in the order of the archive's directory; their contents are not read. Throws Error(kFile) if the source
/// is not a zip archive or if an entry is encrypted.
std::vector<ZipEntry> ReadZipDirectory(const ByteSource& source);

/// The offset at which the entry's bytes begin. Throws Error(kFile) if they don't lie in the source, or are compressed
/// by a method other than deflation.
uint64_t FindZipData(const ByteSource& source, const ZipEntry& entry);

}  // namespace kuiper_infer
