// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kuiper_infer {

/// An open file descriptor, which is closed with the object. Paths are bytes for the system; on Windows they are UTF-8.
/// Every file that a user names is opened by ToRead or ToWrite, because std::ifstream and fopen wait for ever for the
/// other end of a FIFO and read /dev/zero without end.
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
  /// Reads up to `count` bytes from `offset` on. Returns how many it has read, 0 at the file's end; -1 if that fails,
  /// with the reason in errno.
  int64_t ReadAt(uint64_t offset, uint64_t count, void* target) const;
  /// Writes some of the bytes, from their first on. Returns how many; -1 if that fails, with the reason in errno.
  int64_t Write(std::string_view bytes) const;
  /// Closes the file before the object ends, for a writer that has to know of errors. Returns whether closing
  /// succeeded.
  bool Close();

 private:
  explicit File(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  ///< -1: closed
};

/// Throws Error(kFile) with the text "PATH: WHAT: " and errno's text, or std::bad_alloc if errno is ENOMEM.
[[noreturn]] void FailWithErrno(const std::string& path, const std::string& what);

/// Throws Error(kFile) for an empty path and for one with a zero byte, where the system would end it.
void CheckPath(const std::string& path);

/// Whether the path names a device, a FIFO or a socket: what is written goes through it, and a file that is renamed to
/// its name would replace it.
bool IsDeviceOrPipe(const std::string& path);

/// Waits until a written file is on the disk. Returns false if that fails, with the reason in errno.
bool SyncFile(const std::string& path);

/// Renames a file, which replaces one that has the new name, also while that one is open or mapped. Returns false if
/// that fails, with the reason in errno.
bool MoveFileTo(const std::string& from, const std::string& to);

/// Removes a file if it is there and can be removed.
void RemoveFile(const std::string& path);

}  // namespace kuiper_infer
