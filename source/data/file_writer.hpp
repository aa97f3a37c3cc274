// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "utils/system/file.hpp"

namespace kuiper_infer {

/// Writes a file from its start on, in large blocks. All functions throw Error(kFile) that names the path and the
/// system's reason.
class FileWriter {
 public:
  explicit FileWriter(std::string path);

  void Write(std::string_view bytes);
  /// Writes what has not been written yet and closes the file. Without this call the file is incomplete.
  void Finish();

 private:
  void WriteOut(std::string_view bytes);

  const std::string path_;
  File file_;
  std::string waiting_;  ///< bytes for the next block
};

/// Writes a file that holds these bytes.
void WriteFile(const std::string& path, std::string_view bytes);

}  // namespace kuiper_infer
