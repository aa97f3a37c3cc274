// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_writer.hpp"

namespace kuiper_infer {

/// Writes a zip archive, every entry stored as it is, with 64-bit numbers only where they are needed. The same entries
/// give the same bytes. The archive is written beside its place and appears there when it is finished; one that is not
/// finished is removed. All functions throw Error(kFile) where the file can't be written.
class ZipWriter {
 public:
  explicit ZipWriter(std::string path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void Add(const std::string& name, const char* data, uint64_t size);
  void Finish();

 private:
  void Write(std::string_view bytes);

  const std::string path_;
  const std::string unfinished_;  ///< where the archive is written
  FileWriter file_;
  uint64_t written_ = 0;
  uint64_t entries_ = 0;
  std::string directory_;  ///< its records so far
  bool finished_ = false;
};

}  // namespace kuiper_infer
