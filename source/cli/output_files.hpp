// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "data/file_beside.hpp"

namespace kuiper_infer::cli {

/// Files that belong together: each is written beside its place, and all are put there once all are whole and on the
/// disk. What is not put there is removed with the object.
class OutputFiles {
 public:
  /// Where to write the file that is to be at `path`. The two lie in one folder.
  std::string Beside(const std::string& path);
  /// Throws Error(kFile) where a file cannot be written to the disk, which leaves all places as they were, or be put in
  /// its place.
  void Place();

 private:
  std::vector<FileBeside> files_;
};

}  // namespace kuiper_infer::cli
