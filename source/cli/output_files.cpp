// SPDX-License-Identifier: MIT
#include "cli/output_files.hpp"

#include <cstdio>
#include <unistd.h>

#include "utils/file.hpp"

namespace kuiper_infer::cli {

OutputFiles::~OutputFiles() {
  for (const File& file : files_) std::remove(file.beside.c_str());
}

std::string OutputFiles::Beside(const std::string& path) {
  files_.push_back({path, path + ".new"});
  return files_.back().beside;
}

void OutputFiles::Place() {
  for (const File& file : files_) {
    const kuiper_infer::File written = kuiper_infer::File::ToRead(file.beside);
    if (fsync(written.descriptor()) != 0) FailWithErrno(file.path, "cannot be written");
  }
  while (!files_.empty()) {
    const File& file = files_.front();
    if (std::rename(file.beside.c_str(), file.path.c_str()) != 0) FailWithErrno(file.path, "cannot be written");
    files_.erase(files_.begin());
  }
}

}  // namespace kuiper_infer::cli
