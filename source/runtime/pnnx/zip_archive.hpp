// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/stored_bytes.hpp"
#include "runtime/pnnx/zip_directory.hpp"

namespace kuiper_infer {

/// An archive whose entries are found by their names.
class ZipArchive {
 public:
  /// Reads the directory. Throws Error(kFile) if the source is not a zip archive.
  explicit ZipArchive(std::shared_ptr<const ByteSource> source);

  const ByteSource& source() const { return *source_; }
  const std::vector<ZipEntry>& entries() const { return entries_; }
  /// The `occurrence`-th entry of that name, counted from 0; null if there is none.
  const ZipEntry* Find(const std::string& name, std::size_t occurrence) const;

  /// Reads the entry's ZipEntry::size bytes and verifies them, large ones on several threads. Throws Error(kFile).
  void Read(const ZipEntry& entry, void* target) const;
  /// The bytes of an entry that is stored without compression, to be read later; they keep the source open. Null for a
  /// compressed entry. Throws Error(kFile) if the bytes don't lie in the source.
  std::shared_ptr<const StoredBytes> Stored(const ZipEntry& entry) const;

 private:
  void Inflate(const ZipEntry& entry, void* target) const;

  std::shared_ptr<const ByteSource> source_;
  std::vector<ZipEntry> entries_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
};

}  // namespace kuiper_infer
