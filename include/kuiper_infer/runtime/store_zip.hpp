// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer {

/// Reads the archives that hold a model's weights: zip with 32-bit or 64-bit sizes, stored or deflated. Sizes and
/// checksums are verified. Throws std::bad_alloc if there is not enough memory.
class StoreZipReader {
 public:
  StoreZipReader();
  ~StoreZipReader();
  StoreZipReader(const StoreZipReader&) = delete;
  StoreZipReader& operator=(const StoreZipReader&) = delete;

  /// Opens an archive. Returns 0 on success; otherwise error() says why.
  int open(const std::string& path);
  /// Opens an archive in memory, which is read in place and must stay valid until close(). Returns 0 on success.
  int open_memory(std::string_view bytes);
  /// The size of an entry in bytes, inflated; 0 if there is none. If several entries have the name, `occurrence` counts
  /// them from 0 in the archive's order.
  uint64_t get_file_size(const std::string& name, std::size_t occurrence = 0) const;
  /// Whether there is an entry of that name.
  bool has_file(const std::string& name, std::size_t occurrence = 0) const;
  /// Reads an entry into `data`, which has room for get_file_size() bytes. Returns 0 on success; otherwise error() says
  /// why.
  int read_file(const std::string& name, char* data, std::size_t occurrence = 0);
  /// Closes the archive. Returns 0.
  int close();

  /// The names of all entries in the archive's order.
  std::vector<std::string> names() const;
  /// Why the last function that failed did so.
  const std::string& error() const;

 private:
  int ReadEntries();

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes an archive whose entries are stored, not compressed.
class StoreZipWriter {
 public:
  StoreZipWriter();
  /// Discards an archive that was not closed.
  ~StoreZipWriter();
  StoreZipWriter(const StoreZipWriter&) = delete;
  StoreZipWriter& operator=(const StoreZipWriter&) = delete;

  /// Begins an archive. Like the next two functions, it returns 0 on success; otherwise error() says why.
  int open(const std::string& path);
  /// Adds an entry of `size` bytes.
  int write_file(const std::string& name, const char* data, uint64_t size);
  /// Completes the archive, which appears under its path only now.
  int close();
  /// Why the last function that failed did so.
  const std::string& error() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kuiper_infer
