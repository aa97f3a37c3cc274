// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "data/file_beside.hpp"

namespace kuiper_infer::cli {

/// Files that belong together. Each is written under a temporary name in its folder, and all are renamed when all are
/// complete and on the disk. A file that has not been renamed is removed with the object.
class OutputFiles {
 public:
  /// The temporary path for the file that will be at `path`, in the same folder.
  std::string Beside(const std::string& path) {
    files_.emplace_back(path, ".new");
    return files_.back().beside();
  }
  /// Renames all files. If a file cannot be written to the disk, throws Error(kFile) and renames none; also throws
  /// Error(kFile) if a file cannot be renamed.
  void Place() {
    for (const FileBeside& file : files_) file.Sync();
    for (FileBeside& file : files_) file.Place();
  }

 private:
  std::vector<FileBeside> files_;
};

}  // namespace kuiper_infer::cli
