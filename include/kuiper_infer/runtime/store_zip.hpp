// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer {

/// Reads the archives that hold a model's weights: zip, old or 64-bit, stored or deflated. Sizes and checksums are
/// verified. Throws std::bad_alloc where memory is lacking.
class StoreZipReader {
 public:
  StoreZipReader();
  ~StoreZipReader();
  StoreZipReader(const StoreZipReader&) = delete;
  StoreZipReader& operator=(const StoreZipReader&) = delete;

  /// 0 on success; otherwise error() tells why.
  int open(const std::string& path);
  /// Opens an archive in memory, which is read in place and must stay until close(). 0 on success.
  int open_memory(std::string_view bytes);
  /// Bytes of an entry; 0 when there is none. A name that occurs several times means its `occurrence`-th entry.
  uint64_t get_file_size(const std::string& name, std::size_t occurrence = 0) const;
  bool has_file(const std::string& name, std::size_t occurrence = 0) const;
  /// Reads get_file_size() bytes into `data`. 0 on success; otherwise error() tells why.
  int read_file(const std::string& name, char* data, std::size_t occurrence = 0);
  int close();

  /// All entries in the archive's order.
  std::vector<std::string> names() const;
  const std::string& error() const;

 private:
  int ReadEntries();

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes an archive that StoreZipReader reads, every entry stored.
class StoreZipWriter {
 public:
  StoreZipWriter();
  /// An archive that was not closed is discarded.
  ~StoreZipWriter();
  StoreZipWriter(const StoreZipWriter&) = delete;
  StoreZipWriter& operator=(const StoreZipWriter&) = delete;

  /// open, write_file and close return 0 on success; otherwise error() tells why. The file appears at close().
  int open(const std::string& path);
  int write_file(const std::string& name, const char* data, uint64_t size);
  int close();
  const std::string& error() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kuiper_infer
