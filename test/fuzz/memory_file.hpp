// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <sys/mman.h>

namespace kuiper_infer {

/// Bytes as a file that lies in memory only.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, std::size_t size) : descriptor_(memfd_create("fuzz", 0)) {
    while (size > 0) {
      const ssize_t written = write(descriptor_, data, size);
      if (written <= 0) throw std::runtime_error("cannot write a file in memory");
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace kuiper_infer
