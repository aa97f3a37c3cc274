// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kuiper_infer {

/// An open file descriptor, which is closed with the object. Every file that a user names is opened by ToRead or
/// ToWrite, because std::ifstream and fopen wait for ever for the other end of a FIFO and read /dev/zero without end.
class File {
 public:
  /// Opens a regular file for reading, without blocking. Throws Error(kFile) that names the path and the reason, also
  /// for a directory, FIFO, socket or device. Throws std::bad_alloc if the system lacks memory.
  static File ToRead(const std::string& path);
  /// Creates a file for writing, or empties an existing one. A device may be written, and a FIFO that a process reads.
  /// Throws as ToRead does.
  static File ToWrite(const std::string& path);

  File(File&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  File& operator=(File&& other) = delete;
  ~File();

  int descriptor() const { return descriptor_; }
  /// Bytes of a regular file.
  uint64_t Size(const std::string& path) const;
  /// Closes the file before the object ends, for a writer that has to know of errors. Returns whether closing
  /// succeeded.
  bool Close();

 private:
  explicit File(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  ///< -1: closed
};

/// Throws Error(kFile) with the text "PATH: WHAT: " and errno's text, or std::bad_alloc if errno is ENOMEM.
[[noreturn]] void FailWithErrno(const std::string& path, const std::string& what);

}  // namespace kuiper_infer
