// SPDX-License-Identifier: MIT
#include "data/file_beside.hpp"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include "utils/file.hpp"

namespace kuiper_infer {

FileBeside::FileBeside(std::string path, const std::string& ending) : path_(std::move(path)), beside_(path_ + ending) {}

FileBeside::FileBeside(FileBeside&& other) noexcept
    : path_(std::move(other.path_)), beside_(std::exchange(other.beside_, {})) {}

FileBeside::~FileBeside() {
  if (!beside_.empty()) std::remove(beside_.c_str());
}

void FileBeside::Sync() const {
  const File written = File::ToRead(beside_);
  if (fsync(written.descriptor()) != 0) FailWithErrno(path_, "cannot be written");
}

void FileBeside::Place() {
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) FailWithErrno(path_, "cannot be written");
  beside_.clear();
}

}  // namespace kuiper_infer
