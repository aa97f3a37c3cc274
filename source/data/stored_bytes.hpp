// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "data/byte_source.hpp"

namespace kuiper_infer {

/// Bytes in an archive that are read in pieces, in any order and by several threads at once. Their checksum is combined
/// from the checksums of the pieces, so that each byte is read only once.
class StoredBytes {
 public:
  /// The `size` bytes of the source from `offset` on, whose checksum is `crc`. Messages call them entry `entry`.
  StoredBytes(std::shared_ptr<const ByteSource> source, uint64_t offset, uint64_t size, uint32_t crc,
              std::string entry);

  /// Where the bytes begin in the source.
  uint64_t offset() const { return offset_; }
  uint64_t size() const { return size_; }
  uint32_t crc() const { return crc_; }

  /// Reads `count` bytes from `first` on. Throws Error(kFile) if the source can't be read, or if this was the last
  /// missing piece and the checksum is wrong. A piece that overlaps earlier ones does not count for the checksum.
  void Read(uint64_t first, uint64_t count, void* target) const;

  /// Notes that `count` bytes from `first` on are not needed, because their packed form exists already.
  void Skip(uint64_t first, uint64_t count) const;

  /// Another object for the same bytes, none of which count as read or verified.
  std::shared_ptr<const StoredBytes> Unread() const;

  /// Throws Error(kFile) if the checksum is wrong. If not all bytes have been read, reads them again. Does nothing if
  /// no byte is needed.
  void Verify() const;

 private:
  struct Run {
    uint64_t count;
    uint32_t crc;
  };
  void Note(uint64_t first, Run run) const;
  bool IsSkipped() const;
  void Check(uint32_t crc) const;

  const std::shared_ptr<const ByteSource> source_;
  const uint64_t offset_;
  const uint64_t size_;
  const uint32_t crc_;
  const std::string entry_;
  mutable std::atomic<bool> verified_{false};
  mutable std::mutex mutex_;
  mutable std::map<uint64_t, Run> runs_;          ///< what has been read, by its first byte; neighbours are joined
  mutable std::map<uint64_t, uint64_t> skipped_;  ///< the ends of what is not needed, by its first byte
};

/// Reads all bytes, on several threads if there are many. Throws what StoredBytes::Read throws.
void ReadAll(const StoredBytes& bytes, void* target);

}  // namespace kuiper_infer
