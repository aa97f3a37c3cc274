// SPDX-License-Identifier: MIT
#include "data/file_beside.hpp"

#include <utility>

#include "utils/system/file.hpp"

namespace kuiper_infer {

FileBeside::FileBeside(std::string path, const std::string& ending)
    : path_(std::move(path)), beside_(IsDeviceOrPipe(path_) ? path_ : path_ + ending) {}

FileBeside::FileBeside(FileBeside&& other) noexcept
    : path_(std::move(other.path_)), beside_(std::exchange(other.beside_, {})) {}

FileBeside::~FileBeside() {
  if (!beside_.empty() && !in_place()) RemoveFile(beside_);
}

void FileBeside::Sync() const {
  if (!in_place() && !SyncFile(beside_)) FailWithErrno(path_, "cannot be written");
}

void FileBeside::Place() {
  if (!in_place() && !MoveFileTo(beside_, path_)) FailWithErrno(path_, "cannot be written");
  beside_.clear();
}

}  // namespace kuiper_infer
