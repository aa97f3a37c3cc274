// SPDX-License-Identifier: MIT
#include "cli/output_files.hpp"

namespace kuiper_infer::cli {

std::string OutputFiles::Beside(const std::string& path) {
  files_.emplace_back(path, ".new");
  return files_.back().beside();
}

void OutputFiles::Place() {
  for (const FileBeside& file : files_) file.Sync();
  for (FileBeside& file : files_) file.Place();
}

}  // namespace kuiper_infer::cli
