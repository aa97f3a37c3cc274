// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace kuiper_infer {

/// A file's bytes mapped into memory, to be read only. For files that nobody changes in place: where one is cut,
/// reading ends the process.
class MappedFile {
 public:
  /// Null where the file can't be mapped or is no regular one.
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
