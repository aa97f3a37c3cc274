// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "utils/system/file.hpp"

namespace kuiper_infer {

/// A file that stays open, or bytes in memory, which several threads at once may read at any offset. A file is read,
/// not mapped: if another program truncates it meanwhile, that is an error and not the end of the process.
class ByteSource {
 public:
  /// Throws what File::ToRead does.
  static std::shared_ptr<const ByteSource> OpenFile(const std::string& path);
  /// The bytes are read in place and must stay valid as long as the object. Messages call them `name`.
  static std::shared_ptr<const ByteSource> OfMemory(std::string_view bytes, std::string name);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// For messages: the file's path.
  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }

  /// Reads `count` bytes from `offset` on. Throws Error(kFile) if the source has fewer bytes or can't be read.
  void Read(uint64_t offset, uint64_t count, void* target) const;
  /// All bytes. Throws Error(kFile) if there are more than `most_bytes`.
  std::string Text(uint64_t most_bytes) const;

 private:
  ByteSource(std::string name, std::optional<File> file, const char* memory, uint64_t size)
      : name_(std::move(name)), file_(std::move(file)), memory_(memory), size_(size) {}

  std::string name_;
  std::optional<File> file_;  ///< none for bytes in memory
  const char* memory_;        ///< null for files
  uint64_t size_;
};

}  // namespace kuiper_infer
