// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_beside.hpp"
#include "data/file_writer.hpp"

namespace kuiper_infer {

/// Writes a zip archive without compression, with 64-bit sizes only if they are needed. Equal entries give equal bytes.
/// The archive is written under a temporary name and renamed when it is finished; an unfinished archive is
/// removed. All functions throw Error(kFile) if the file can't be written.
class ZipWriter {
 public:
  explicit ZipWriter(std::string path);

  void Add(const std::string& name, const char* data, uint64_t size);
  void Finish();

 private:
  void Write(std::string_view bytes);

  const std::string path_;
  FileBeside place_;
  FileWriter file_;
  uint64_t written_ = 0;
  uint64_t entries_ = 0;
  std::string directory_;  ///< its records so far
};

}  // namespace kuiper_infer
