// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace kuiper_infer {

/// A file's bytes mapped into memory for reading. Only for files that are never changed in place: if such a file is
/// truncated, reading it ends the process.
class MappedFile {
 public:
  /// Maps a file. Null if it can't be mapped or is not a regular file.
  static std::shared_ptr<const MappedFile> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(start_), size_}; }

 private:
  MappedFile() = default;

  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kuiper_infer
